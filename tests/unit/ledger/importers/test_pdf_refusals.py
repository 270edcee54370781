"""PDFs that can't be read, or were made to do harm: one sentence, within bounds, and never another error."""

from __future__ import annotations

import random
import subprocess
import sys
import zlib
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.importers import Hints, UnreadableFile, looks_like_statement, read_statement
from ledger.importers.pdf import process, reader
from ledger.importers.pdf.lines import read_document
from ledger.importers.pdf.process import write_words
from tests.support.bank_pdfs import uk_current
from tests.support.pdf_files import Paper, written

DATA = Path(__file__).parents[3] / "data" / "bank" / "pdf"
WAY = "Your bank's website has the same as CSV or OFX, often beside it."
SCAN = f"This PDF is a scan: pictures of pages without text in them, from which no amount can be read exactly. {WAY}"
DAMAGED = f"This PDF is damaged, so I can't read it; download it again. {WAY}"
TOO_LARGE = f"This PDF is far too large for a statement. {WAY}"
EMPTY = f"There is no text in this PDF. {WAY}"
NO_TABLE = f"I can't find transactions in this PDF: no table with a date and an amount in each row. {WAY}"
LOCKED = f"This PDF is protected by a password: save or print it to a PDF without one, then send that. {WAY}"
NO_LETTERS = f"The letters in this PDF can be seen and not read, as its fonts don't say which they are. {WAY}"


def refusal(data, name="statement.pdf", **hints):
    with pytest.raises(UnreadableFile) as caught:
        read_statement(name, data, Hints(**hints))
    return caught.value.message


def letter():
    paper = Paper()
    for place, text in enumerate(
        ["Dear Ms Example,", "on 12 January 2026 we received your order.", "It costs 45.00 and comes soon."]
    ):
        paper.text(40, 40 + 14 * place, text)
    return paper.data()


def picture(*, seen=True):
    """A page with a picture on it, and with text that nobody sees, as programs write that read letters off pictures."""
    paper = Paper(extra="")
    paper.raw("q 500 0 0 700 40 40 cm BI /W 2 /H 2 /BPC 8 /CS /G ID \x00\x7f\x7f\x00 EI Q")
    if not seen:
        for place in range(40):
            paper.text(40, 40 + 12 * place, "05/01/2026 Shop 12.00", mode=3)
    return paper.data()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"%PDF-1.7\n1 0 obj", DAMAGED),
        (b"\n\n%PDF-1.4", DAMAGED),
        (Paper().data(), EMPTY),
        (picture(), SCAN),
        (picture(seen=False), SCAN),
        (letter(), NO_TABLE),
        ((DATA / "locked.pdf").read_bytes(), LOCKED),
    ],
)
def test_what_is_no_statement_with_text_is_refused_with_the_way_to_one(data, said):
    assert refusal(data) == said


def test_a_pdf_is_one_whatever_it_is_called_or_asked_to_be():
    assert refusal(letter(), "bank.csv", format="csv") == NO_TABLE


@pytest.mark.parametrize("name", ["restricted_aes256", "restricted_aes128", "restricted_rc4"])
def test_what_only_forbids_to_print_is_read(name):
    assert len(read_statement("x.pdf", (DATA / f"{name}.pdf").read_bytes()).rows) == 40


def page(content, *, way=b"", extra=b"<< >>", font=b"/Subtype /Type1 /BaseFont /Helvetica"):
    """A page with this content; object 6 is ``extra``, which it may name ``/X``."""
    resources = b"<< /Font << /F1 3 0 R >> /XObject << /X 6 0 R >> >>"
    return written(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
            b"<< /Type /Font " + font + b" >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources %b /Contents 5 0 R >>" % resources,
            b"<< /Length %d%b >>\nstream\n%b\nendstream" % (len(content), way, content),
            extra,
        ]
    )


def bomb():
    """Two streams in each other that unpack to gigabytes; one part that leans on nothing before it stands 2000 times."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    part = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = ((2000 << 20) % 65521 << 16 | 1).to_bytes(4, "big")
    once = b"\x78\xda" + part * 2000 + packer.flush() + checksum
    return page(zlib.compress(once), way=b" /Filter [/FlateDecode /FlateDecode]")


SELF = b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >> /Length 5 >>\nstream\n/X Do\nendstream"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (bomb(), TOO_LARGE),
        (page(b"BT /F1 9 Tf 40 40 Td " + b"(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj " * 40_000 + b"ET"), TOO_LARGE),
        (page(b"/X Do", extra=SELF), EMPTY),
        (page(b"[" * 100_000), EMPTY),
        (page(b"BT /F1 9 Tf 1e999 0 0 1e999 nan 5 Tm (Date) Tj 1 0 0 1 1e400 -1e400 Tm (x) Tj ET"), EMPTY),
        (page(b"BT /F1 1e30 Tf 40 40 Td (Date) Tj /F1 -9 Tf (Date) Tj ET"), EMPTY),
        (written([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 99999 >>"]), DAMAGED),
        (written([b"<< /Type /Catalog /Pages " + b"<< /A " * 50_000 + b" 2 0 R >>"]), DAMAGED),
        (b"%PDF-1.7\n" + b" " * (33 << 20), TOO_LARGE),
    ],
    ids=["bomb", "letters", "form in itself", "brackets", "no numbers", "sizes", "pages in themselves", "deep", "bytes"],
)  # fmt: skip
def test_what_was_made_to_burst_ends_its_own_process_alone(data, said):
    assert refusal(data) == said


def test_more_pages_than_any_statement_has():
    paper = Paper()
    for _ in range(301):
        paper.text(40, 40, "Page with some words of no use to anybody")
        paper.page()
    assert refusal(paper.data()) == TOO_LARGE


def test_a_font_can_t_name_a_file_to_be_read(tmp_path):
    """Older parsers read the tables of letters that a font names from wherever the name leads, as programs."""
    there = tmp_path / "evil.pickle.gz"
    name = str(there.with_suffix("").with_suffix("")).replace("/", "#2f").encode()
    font = b"/Subtype /Type0 /BaseFont /X /Encoding /..#2f..#2f..#2f..#2f..#2f..#2f..%b /DescendantFonts [6 0 R]" % name
    data = page(
        b"BT /F1 9 Tf 40 40 Td (abcdefgh) Tj ET",
        font=font,
        extra=b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X >>",
    )
    assert refusal(data) in {EMPTY, NO_LETTERS, NO_TABLE}
    assert not there.exists()


def test_letters_without_a_meaning_are_no_text():
    font = b"/Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [6 0 R]"
    lines = b"".join(b"1 0 0 1 40 %d Tm (ABCABCABC) Tj " % (700 - 12 * place) for place in range(9))
    inner = b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) >> >>"
    assert refusal(page(b"BT /F1 9 Tf " + lines + b"ET", font=font, extra=inner)) == NO_LETTERS


@pytest.mark.parametrize("kept", [0.2, 0.5, 0.8, 0.97])
def test_a_statement_that_breaks_off_is_read_whole_or_refused(kept):
    made = uk_current()
    try:
        rows = read_statement("x.pdf", made.data[: int(len(made.data) * kept)]).rows
    except UnreadableFile:
        return
    assert [row.amount for row in rows] == [amount for _, _, amount in made.rows]


def words(data):
    out = StringIO()
    write_words(data, out, 300, 1_500_000)
    return read_document(out.getvalue().encode())


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 40))
def test_damaged_bytes_are_read_as_the_sound_ones_or_refused(seed, count):
    made = uk_current()
    drawn, data = random.Random(seed), bytearray(made.data)
    for _ in range(count):
        data[drawn.randrange(20, len(data))] = drawn.randrange(256)
    document = words(bytes(data))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_run", lambda _: document)
        try:
            rows = read_statement("x.pdf", bytes(data)).rows
        except UnreadableFile:
            return
    assert sorted(row.amount for row in rows) == sorted(amount for _, _, amount in made.rows)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.floats(-50, 700), st.floats(-50, 900), st.text("0123456789.,-/ aDateAmountSaldo€", max_size=30)),
        max_size=40,
    )
)
def test_words_strewn_about_a_page_are_read_or_refused(texts):
    paper = Paper()
    for x, y, text in [*texts, (40, 40, "Date"), (100, 40, "Description"), (300, 40, "Amount"), (400, 40, "Balance")]:
        paper.text(x, y, text.replace("€", ""))
    document = words(paper.data())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_run", lambda _: document)
        with suppress(UnreadableFile):
            read_statement("x.pdf", paper.data())


def test_the_parser_is_not_in_the_program_itself():
    """Whoever never sends a PDF pays neither its time nor its memory at the start."""
    said = "import sys, ledger.importers; print([each for each in sys.modules if each.startswith('pdfminer')])"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stdout == "[]\n"


def test_the_process_imports_nothing_of_ours():
    source = Path(process.__file__).read_text("utf-8")
    assert "from ledger" not in source
    assert "import ledger" not in source


def test_letters_of_a_page_that_lies_on_its_side_stand_upright():
    paper = Paper(rotate=90)
    paper.raw("BT /F1 9 Tf 0 1 -1 0 100 50 Tm (Opening balance) Tj ET")
    paper.raw("BT /F1 9 Tf 1 0 0 1 300 300 Tm (aslant) Tj ET")
    assert [line.text for line in words(paper.data()).lines] == ["Opening balance"]


def test_letters_that_are_drawn_twice_count_once():
    paper = Paper()
    paper.text(40, 40, "Balance 11.10")
    paper.text(40.4, 40, "Balance 11.10")
    assert [line.text for line in words(paper.data()).lines] == ["Balance 11.10"]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("Kontoauszug_2026_01.pdf", True),
        ("eStatement-Jan.pdf", True),
        ("Relevé 02.pdf", True),
        ("invoice 17.pdf", False),
    ],
)
def test_in_a_folder_a_pdf_is_told_by_its_name(name, is_one):
    assert looks_like_statement(name, letter()) is is_one
