"""Exports of other programs whose rows are no transactions yet: bookkeepers' postings, two accounts a row, shared costs.

Each is told by its header and turned into a plain table, which is then read as any other.
"""

from ledger.importers.programs.translation import Translated, translated

__all__ = ["Translated", "translated"]
