"""The three banks' files, read as they are, with the truth about their rows."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from evals.bank_files import bank_files, files_checksum, read_ledger
from evals.figures import Malformed

AMERICAN = (
    '"Date","Description","Original Description","Amount","Transaction Type","Category","Account Name","Labels","Notes"\n'
    '"9/03/2026","Costco","COSTCO WHSE","1289.64","debit","Groceries","Visa","",""\n'
    '"11/20/2026","Costco","COSTCO WHSE","20.00","credit","Groceries","Visa","",""\n'
)
BRITISH = "Date,Description,Amount\n03/09/2026,TESCO STORES 3142,-6.81\n"
GERMAN = (
    '"Auftragskonto";"Buchungstag";"Verwendungszweck";"Begünstigter/Zahlungspflichtiger";"Betrag"\n'
    '"DE1";"03.09.2026";"Miete";"Müller";"-1.015,50"\n'
    '"DE1";"04.09.2026";"Entgelt";"";"-4,90"\n'
)
LABELS = "file,description,sign,merchant,category,kind\n"


def put(folder: Path, ledger: str, labels: str, **files: bytes) -> None:
    (folder / ledger).mkdir()
    (folder / ledger / "labels.csv").write_text(LABELS + labels, encoding="utf-8")
    for name, data in files.items():
        (folder / ledger / f"{name.replace('_', '-')}.csv").write_bytes(data)


def test_american(tmp_path: Path) -> None:
    """A label may be for one sign; the category is the file's."""
    labels = "mint.csv,Costco,-,Costco,Other,purchase\nmint.csv,Costco,+,Costco,Other,refund\n"
    put(tmp_path, "american", labels, mint=AMERICAN.encode())
    first, second = read_ledger("american", tmp_path).rows
    assert (first.day, first.amount, first.account, first.currency) == (
        date(2026, 9, 3),
        Decimal("-1289.64"),
        "Visa",
        "USD",
    )
    assert (first.category, first.kind, second.kind, second.amount) == (
        "Groceries",
        "purchase",
        "refund",
        Decimal("20.00"),
    )


def test_british(tmp_path: Path) -> None:
    """Two files are two accounts; a label without sign is for both, one with a sign goes first."""
    labels = "".join(
        f"{name}.csv,TESCO STORES 3142,,Tesco,Groceries,purchase\n" for name in ("current-account", "card")
    )
    labels += "card.csv,TESCO STORES 3142,-,Tesco,Fuel,purchase\n"
    put(tmp_path, "british", labels, current_account=BRITISH.encode(), card=BRITISH.encode())
    card, current = read_ledger("british", tmp_path).rows
    assert (card.account, card.category, current.account, current.category) == (
        "Card",
        "Fuel",
        "Current account",
        "Groceries",
    )
    assert (current.day, current.amount, current.currency) == (date(2026, 9, 3), Decimal("-6.81"), "GBP")


def test_german(tmp_path: Path) -> None:
    """A description is the payee and the purpose."""
    labels = "giro.csv,Müller Miete,-,Müller,Rent & Mortgage,purchase\ngiro.csv,Entgelt,-,Bank,Fees,fee\n"
    put(tmp_path, "german", labels, giro=GERMAN.encode("latin-1"))
    rent, fee = read_ledger("german", tmp_path).rows
    assert (rent.day, rent.description, rent.amount) == (date(2026, 9, 3), "Müller Miete", Decimal("-1015.50"))
    assert (fee.merchant, fee.amount, fee.currency) == ("Bank", Decimal("-4.90"), "EUR")


@pytest.mark.parametrize(
    ("data", "labels", "message"),
    [
        (BRITISH, "", r"british/card\.csv:2: labels\.csv does not know 'TESCO STORES 3142'"),
        (BRITISH, "card.csv,TESCO STORES 3142,+,Tesco,Groceries,refund\n", "does not know"),
        (BRITISH, "card.csv,TESCO STORES 3142,,Tesco,Groceries,gift\n", r"british/labels\.csv:2"),
        (BRITISH, "card.csv,A,,A,A,fee\ncard.csv,A,,A,A,fee\n", r"british/labels\.csv:3: 'A' is there twice"),
        ("Date,Description,Amount\n31/02/2026,A,-1.00\n", "", r"british/card\.csv:2"),
        ("Date,Description,Amount\n01/02/2026,A,one\n", "", r"british/card\.csv:2"),
        ("Date,Description,Amount\n", "", "no transaction"),
    ],
)
def test_what_is_malformed_is_named_with_file_and_line(tmp_path: Path, data: str, labels: str, message: str) -> None:
    put(tmp_path, "british", labels, card=data.encode())
    with pytest.raises(Malformed, match=message):
        read_ledger("british", tmp_path)


def test_the_checksum_is_of_the_bank_files_alone(tmp_path: Path) -> None:
    put(tmp_path, "british", "", card=BRITISH.encode())
    before = files_checksum("british", tmp_path)
    (tmp_path / "british/labels.csv").write_text(LABELS, encoding="utf-8")
    assert files_checksum("british", tmp_path) == before
    assert [path.name for path in bank_files("british", tmp_path)] == ["card.csv"]
    (tmp_path / "british/card.csv").write_bytes(BRITISH.replace("6.81", "6.82").encode())
    assert files_checksum("british", tmp_path) != before
