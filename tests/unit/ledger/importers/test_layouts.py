"""Layouts: what their files may say, the banks' that come with the program, and how what is said goes over what is seen."""

from __future__ import annotations

import contextlib
from decimal import Decimal
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.direction import Told
from ledger.errors import AmbiguousDirection, LayoutRefused, UnreadableFile
from ledger.importers import Hints, read_statement
from ledger.importers.currencies import CODES
from ledger.importers.table.bank_layouts import bank_layouts
from ledger.importers.table.layout_file import MOST_CHARACTERS, read_layout, write_layout
from ledger.importers.table.saying import complete, described, say
from ledger.importers.table.stated import ANY_NAME, ORDERS, ROLES, SHARED, CellKind, StatedLayout
from ledger.importers.table.vocabulary import Role, fold
from ledger.transactions import AccountType

FOLDER = files("ledger.layouts")
BANKS = sorted(each.name.removesuffix(".toml") for each in FOLDER.iterdir() if each.name.endswith(".toml"))
CARD = b"Foo,Bar,Baz,Qux\n2026-10-01,12.50,Tesco,pending\n2026-10-04,40.00,Shell,booked\n"
HEAD = 'header = ["Foo", "Bar", "Baz", "Qux"]\n'

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(str.strip)
lines = words.filter(str.isprintable)


@st.composite
def layouts(draw):
    """Any layout that can be kept, with its columns in the order in which its file lists them."""
    if draw(st.booleans()):
        header = tuple(
            draw(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), min_size=2, max_size=8))
        )
        if sum(bool(fold(name)) for name in header) < 2:
            header = ("Date", "Amount", *header)
        shape = {"header": header}
    else:
        shape = {"kinds": tuple(draw(st.lists(st.sampled_from(CellKind), min_size=1, max_size=8)))}
    width = len(next(iter(shape.values())))
    places = draw(st.permutations(range(width)))
    roles = draw(st.lists(st.sampled_from(list(ROLES.values())), max_size=width, unique_by=lambda role: role))
    columns = [(places.pop(), role) for role in roles]
    more = draw(st.sampled_from(sorted(SHARED)))
    if more in roles and places:
        columns.insert([role for _, role in columns].index(more) + 1, (places.pop(), more))
    texts = st.lists(words, max_size=4).map(tuple)
    return StatedLayout(
        **shape,
        marks=draw(texts),
        columns=tuple(columns),
        out=draw(texts),
        into=draw(texts),
        left_out=tuple((0, each) for each in [draw(texts)] if each),
        order=draw(st.sampled_from([None, *ORDERS.values()])),
        decimal=draw(st.sampled_from([None, ".", ","])),
        sign=draw(st.sampled_from([None, "as-is", "reversed"])),
        currency=draw(st.sampled_from(["", *sorted(CODES)])),
        bank=draw(st.just("") | lines),
        account=draw(st.just("") | lines),
        account_type=draw(st.sampled_from([None, *AccountType])),
        person=draw(st.just("") | lines),
    )


# -- the file


@given(layouts())
def test_a_layout_is_read_back_as_it_was_written(layout):
    assert read_layout(write_layout(layout)) == layout


@given(st.text(max_size=300) | st.builds(lambda line: HEAD + line, st.text(max_size=60)))
def test_any_other_text_is_a_layout_or_refused(text):
    with contextlib.suppress(LayoutRefused):
        assert read_layout(text).width


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "header"),
        ('header = ["Foo"]', "two names"),
        ('header = ["Foo", "Bar"]\nkinds = ["date", "number"]', "either"),
        (HEAD + 'regex = ".*"', "can't say 'regex'"),
        (HEAD + '[columns]\namount = "Nope"', "don't have: 'Nope'"),
        (HEAD + "[columns]\namount = 5", "don't have"),
        (HEAD + "[columns]\namount = true", "don't have"),
        (HEAD + '[columns]\namount = ["Foo", "Bar"]', "to one column"),
        (HEAD + '[columns]\namount = "Foo"\ndate = "Foo"', "two roles"),
        (HEAD + '[columns]\nfoo = "Foo"', "can't say 'foo'"),
        (HEAD + 'dates = "backwards"', "can't be 'backwards'"),
        (HEAD + 'currency = "XXQ"', "can't be"),
        (HEAD + "currency = 12", "can't be"),
        (HEAD + f"marks = {['x'] * 11}", "at most 10"),
        (HEAD + 'bank = "two\\nlines"', "one line"),
        (HEAD + "[[leave-out]]\ncolumn = 1", "column and words"),
        (HEAD + "leave-out = [1]", "is a table"),
        (HEAD + "direction = 3", "is a table"),
        ("x" * (MOST_CHARACTERS + 1), "too long"),
        ("header = [" * 2000, "TOML"),
    ],
)
def test_what_a_layout_can_not_say_is_refused(text, why):
    with pytest.raises(LayoutRefused, match=why):
        read_layout(text)


# -- the banks' layouts


@pytest.mark.parametrize("bank", BANKS)
def test_the_sample_of_a_bank_gives_its_rows(bank):
    statement = read_statement(f"{bank}.csv", FOLDER.joinpath(f"{bank}.csv").read_bytes())
    expected = [line.split("\t") for line in FOLDER.joinpath(f"{bank}.rows.tsv").read_text("utf-8").splitlines()[1:]]
    found = [[row.booked_on.isoformat(), row.amount, row.currency, row.description] for row in statement.rows]
    assert found == [[day, Decimal(amount), currency, text] for day, amount, currency, text in expected]
    assert len(found) >= 3
    assert statement.rejected == ()
    assert statement.table.stated == read_layout(FOLDER.joinpath(f"{bank}.toml").read_text("utf-8"))


@pytest.mark.parametrize("bank", BANKS)
def test_without_its_layout_a_sample_is_not_read_the_same(bank, monkeypatch):
    for module in ("reader", "delimited"):
        place = "ledger.importers.delimited" if module == "delimited" else f"ledger.importers.table.{module}"
        monkeypatch.setattr(f"{place}.bank_layouts", lambda: ())
    try:
        statement = read_statement(f"{bank}.csv", FOLDER.joinpath(f"{bank}.csv").read_bytes())
    except UnreadableFile:
        return
    found = [f"{row.booked_on}\t{row.amount}\t{row.currency or ''}\t{row.description}" for row in statement.rows]
    assert found != FOLDER.joinpath(f"{bank}.rows.tsv").read_text("utf-8").splitlines()[1:]


def test_no_two_banks_are_meant_by_one_file_and_headerless_ones_are_told_by_a_mark_or_words():
    keys = [layout.key for layout in bank_layouts()]
    assert len(set(keys)) == len(keys) == len(BANKS)
    for layout in bank_layouts():
        assert layout.bank
        assert layout.header or layout.marks or layout.sides
        assert not layout.account, "an account is a person's, not a bank's"


# -- what is said of a file


def read(layout, data=CARD, **hints):
    return read_statement("x.csv", data, Hints(layouts=(layout,), **hints))


def test_a_person_says_what_nothing_in_the_file_proves():
    with pytest.raises(AmbiguousDirection) as raised:
        read_statement("x.csv", CARD)
    table = raised.value.table
    layout = say(table, ["sign=reversed", "Qux=leave-out:PENDING", "account=Visa"])
    statement = read(layout)
    assert [row.amount for row in statement.rows] == [Decimal("-40.00")]
    assert [row.reason for row in statement.rejected] == ["“pending” is to be left out"]
    assert (statement.accounts[0].name, statement.table.said) == ("Visa", True)
    assert described(layout) == "amounts are money out, rows with “PENDING” left out, account Visa"


def test_the_columns_may_stand_in_another_order():
    layout = say(
        read_statement("x.csv", CARD, Hints(direction=Told.SPENT)).table, ["Bar=amount", "Foo=date", "sign=reversed"]
    )
    moved = b"Baz,Qux,Bar,Foo\nTesco,booked,12.50,2026-10-01\n"
    assert [(row.booked_on.day, row.amount) for row in read(layout, moved).rows] == [(1, Decimal("-12.50"))]
    with pytest.raises(AmbiguousDirection):
        read(layout, CARD.replace(b"Qux", b"Quux"))


def test_the_answer_to_this_file_goes_before_what_was_said_of_such_files():
    layout = read_layout(HEAD + 'sign = "reversed"')
    assert [row.amount for row in read(layout, direction=Told.RECEIVED).rows] == [Decimal("12.50"), Decimal("40.00")]


def test_what_a_person_says_goes_before_a_proof_and_what_a_bank_is_known_for_does_not():
    balanced = b"Foo,Bar,Baz,Balance\n2026-10-01,-12.50,Tesco,87.50\n2026-10-04,-40.00,Shell,47.50\n2026-10-05,-7.50,Lidl,40.00\n"
    layout = say(read_statement("x.csv", balanced).table, ["sign=reversed"])
    said = read(layout, balanced)
    assert [row.amount for row in said.rows] == [Decimal("12.50"), Decimal("40.00"), Decimal("7.50")]
    assert "the contrary" in said.direction.why


def test_money_out_and_in_take_the_place_of_one_amount_and_the_other_way_round():
    data = b"Date,A,B,Text\n2026-10-01,12.50,,Tesco\n2026-10-04,,40.00,Salary\n"
    layout = read_layout('header = ["Date", "A", "B", "Text"]\n[columns]\nmoney-in = "A"\nmoney-out = "B"')
    assert [row.amount for row in read(layout, data).rows] == [Decimal("12.50"), Decimal("-40.00")]
    assert Role.AMOUNT not in dict(read(layout, data).table.layout.columns).values()


def test_a_file_without_a_header_is_known_by_kinds_marks_and_words():
    data = b"01.10.2026;Spar;12,50;L\n04.10.2026;Firma;40,00;M\n"
    layout = read_layout(
        'kinds = ["date", "text", "number", "text"]\n[columns]\ndirection = 4\n[direction]\nout = ["M"]\nin = ["L"]'
    )
    assert [row.amount for row in read(layout, data).rows] == [Decimal("12.50"), Decimal("-40.00")]
    for other in (data.replace(b"M\n", b"K\n"), data.replace(b";L", b";L;"), b"Tag;Wer;Was;Wie\n" + data):
        try:
            table = read(layout, other).table
        except UnreadableFile as error:
            table = error.table
        assert table.stated is None
    marked = read_layout('kinds = ["date", "text", "number", "text"]\nmarks = ["no such word"]\nbank = "X"')
    assert read(marked, data, direction=Told.SPENT).table.stated is None


def test_names_that_change_from_file_to_file_are_left_open():
    layout = read_layout(f'header = ["Foo", "{ANY_NAME}", "Baz", "Qux"]\nsign = "reversed"')
    assert read(layout).table.stated == layout
    assert read(layout, CARD.replace(b"Bar", b"October")).table.stated == layout


@pytest.mark.parametrize(
    ("word", "why"),
    [("Nope=amount", "no column “Nope”"), ("Foo", "NAME=VALUE"), ("Foo=nonsense", "can't be “nonsense”"), ("9=date", "no column"),
     ("dates=never", "can't be said"), (f"out={'x' * 200}", "up to 120")],
)  # fmt: skip
def test_what_can_not_be_said_is_refused(word, why):
    with pytest.raises(LayoutRefused, match=why):
        say(read_statement("x.csv", CARD, Hints(direction=Told.SPENT)).table, [word])


def test_what_is_handed_on_names_all_columns_and_only_the_settings_that_were_said():
    table = read_statement("x.csv", CARD, Hints(direction=Told.SPENT)).table
    assert (table.layout.order, table.layout.decimal, table.layout.sign) != (None, None, None)
    whole = complete(read(say(table, ["Bar=amount"]), direction=Told.SPENT).table)
    assert dict(whole.columns) == {0: Role.DATE, 1: Role.AMOUNT, 2: Role.DESCRIPTION}
    assert (whole.order, whole.decimal, whole.sign) == (None, None, None)


def test_a_file_in_which_no_table_is_found_shows_its_columns():
    data = b"Wann;Wer;Wieviel;Rest\n20261001;Spar;12,00;x\n" + b"offen;Rest;;x\n" * 9
    with pytest.raises(UnreadableFile) as raised:
        read_statement("x.csv", data)
    table = raised.value.table
    assert table.layout.header == ("Wann", "Wer", "Wieviel", "Rest")
    assert table.rows[0] == ("20261001", "Spar", "12,00", "x")
    told = say(table, ["Wann=date", "Wieviel=amount", "Wer=description", "sign=reversed"])
    statement = read(told, data)
    assert [(row.amount, row.description) for row in statement.rows] == [(Decimal("-12.00"), "Spar")]
    assert len(statement.rejected) == 9


def test_a_plain_header_is_a_bank_s_only_where_its_words_stand_below():
    card = b"date,title,amount\n2026-10-01,Uber,12.50\n2026-10-05,Pagamento recebido,-40.00\n"
    statement = read_statement("x.csv", card)
    assert [(str(row.amount), row.currency) for row in statement.rows] == [("-12.50", "BRL"), ("40.00", "BRL")]
    own = b"date,title,amount\n2026-10-01,Tesco,-12.50\n2026-10-05,Shell,-40.00\n2026-10-06,Refund,5.00\n"
    assert [str(row.amount) for row in read_statement("x.csv", own).rows] == ["-12.50", "-40.00", "5.00"]
