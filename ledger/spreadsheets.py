"""Files for spreadsheets: the columns of our own, and texts that a spreadsheet would run marked, and read back unmarked."""

from __future__ import annotations

#: The columns of our own export, which our CSV reader reads back.
EXPORT_COLUMNS = (
    "Date", "Description", "Amount", "Currency", "Category", "Kind", "Merchant", "Account", "Account Type", "Notes",
    "Labels",
)  # fmt: skip
#: The columns of the balances that files state; “Stated” is whether before the first row of the day or after its last.
BALANCE_COLUMNS = ("Date", "Account", "Balance", "Currency", "Stated")
#: What begins a formula, in Excel, LibreOffice or Google Sheets: owasp.org/www-community/attacks/CSV_Injection
#: (captured 2026), and the wide forms of the same signs.
_RUNS = tuple("=+-@\t\r\n＝＋－＠")
_MARK = "'"


def harmless(text: str) -> str:
    """Return a cell's text with a mark before what would be run."""
    return _MARK + text if _runs(text) else text


def restored(text: str) -> str:
    """Return what :func:`harmless` was given; any other text is returned as it is."""
    return text[1:] if text.startswith(_MARK) and _runs(text[1:]) else text


def _runs(text: str) -> bool:
    """Whether a spreadsheet would run it; a mark in front of such a text gets one more, so that it reads back."""
    return text.lstrip(" " + _MARK).startswith(_RUNS)
