"""Calls of every tool, with arguments that reach as far as they can, and two small ledgers for them."""

from __future__ import annotations

from datetime import date
from typing import Any

from tests.drawn_ledgers import Entry

DAY = date(2026, 10, 3)

MINE = [
    Entry(DAY, -71_310, merchant="Costco"),
    Entry(DAY, -500, merchant="Netto Markt", category="Rent"),
    Entry(DAY, 250_000, kind="income", merchant="Acme", category="Income"),
    Entry(DAY, -30_000, kind="transfer", merchant="Own savings", category="Transfer", account="Tagesgeld"),
]
#: The other person's, with a name and amounts that stand nowhere else.
CANARY = "Kanarienvogel"
THEIRS = [
    Entry(DAY, -7_777_777, merchant=CANARY, category=f"{CANARY} seeds", account=f"{CANARY} account"),
    Entry(DAY, -8_888_888, merchant="Costco", account=f"{CANARY} account"),
    Entry(DAY, 9_999_999, kind="income", merchant=f"{CANARY} wages", account=f"{CANARY} account"),
    Entry(DAY, -6_666_666, kind="transfer", merchant=f"{CANARY} move", account=f"{CANARY} account"),
]
AMOUNTS = {abs(entry.minor) for entry in THEIRS}
#: What stands for each row of the other person, for all of them, and for a change that they made.
THEIR_ROW, THEIR_ROWS, THEIR_CHANGE = "#their row", "#their rows", "#their change"

#: Every tool of the registry with arguments that reach as far as they can.
CALLS: dict[str, list[dict[str, Any]]] = {
    "spending-analyze_by_category": [{"category": "Groceries"}, {"category": ["Groceries", "Rent"], "per": "month"}],
    "spending-analyze_merchant": [{"merchant": "Costco"}, {"merchant": "Costco", "group_by_category": True}],
    "spending-get_spending_summary": [
        {"period": "all_time"},
        {"period": "last_month"},
        {"period": "all_time", "over": "1"},
    ],
    "spending-compare": [{"periods": ["last month", "2025"]}, {"merchant": ["Costco", "Netto Markt"]}],
    "spending-extremes": [
        *({"measure": m} for m in ("largest", "smallest", "first", "last", "count", "how_often", "average", "top")),
        *({"measure": "top", "by": by, "limit": 100} for by in ("purchase", "merchant", "category", "month", "day")),
    ],
    "income-summary": [{}],
    "transactions-list": [{"limit": 100}, {"kind": "transfer"}, {"sort": "largest"}, {"over": "10000"}],
    "transactions-search_transactions": [{"query": "costco"}, {"query": CANARY}, {"query": "groceries", "limit": 100}],
    "recurring-list": [{}, *({"wanted": wanted} for wanted in ("sum", "new", "ended"))],
    "recurring-current": [{"merchant": "Costco"}, {"category": "Groceries", "about": "change"}, {"of": "income"}],
    "recurring-upcoming": [{"days": 366}],
    "recurring-changes": [{"period": "all_time", "direction": way} for way in ("up", "down")],
    "accounts-balance": [
        *({"told": told} for told in ("balance", "net_worth", "owed", "overdrawn", "below_zero", "lowest", "highest")),
        {"grain": "day"},
        {"end_date": "2026-10-31"},
    ],
    "transactions-measure": [
        *(
            {"of": of, "what": "total"}
            for of in ("spending", "income", "refunds", "fees", "interest", "savings", "savings_back", "salary", "all")
        ),
        *(
            {"what": what}
            for what in ("count", "average", "largest", "smallest", "latest", "first", "how_often", "exists")
        ),
        {"text": CANARY},
    ],
    "transactions-per_interval": [
        {"grain": grain, "of": "all"} for grain in ("day", "week", "month", "quarter", "year")
    ],
    "transactions-rank": [
        {"by": by, "of": "all", "ranked": ranked, "limit": 100}
        for by in ("merchant", "category", "account", "month", "week", "day", "weekday", "quarter", "year")
        for ranked in ("money", "number")
    ],
    "transactions-find_duplicates": [{}],
    "spending-changes": [{"period": "2026", "by": "merchant"}, {"period": "last month"}],
    "spending-find_unusual": [{}, {"looked": "months"}],
    "spending-quiet_days": [{}],
    "income-share": [{}, {"saved": True}, {"of": "salary"}],
    "accounts-list": [{}],
    "accounts-rename": [
        *({"account": account, "new_name": "Household"} for account in ("Giro Nord", f"{CANARY} account", CANARY)),
        {"account": "Tagesgeld", "new_name": f"{CANARY} account"},
    ],
    "accounts-set_type": [
        {"account": account, "type": "credit_card"} for account in ("Household", f"{CANARY} account", "Tagesgeld")
    ],
    "accounts-merge": [
        {"account": account, "into": into}
        for account, into in (
            (f"{CANARY} account", "Giro Nord"),
            ("Giro Nord", f"{CANARY} account"),
            ("Giro Nord", "Tagesgeld"),
        )
    ],
    "accounts-delete": [{"account": account} for account in (f"{CANARY} account", CANARY, "Giro Nord")],
    "ledger-status": [{}],
    "figures-calculate": [],
    "settings-show": [{}],
    "settings-change": [{"setting": "time_zone", "value": "Berlin"}],
    "memories-list": [{}, {"about": CANARY}],
    "memories-remember": [{"note": "rent is due on the 3rd"}],
    "memories-forget": [{"note": "all"}, {"note": CANARY}],
    "categories-assign": [{"merchant": "Costco", "category": "Rent"}, {"merchant": CANARY, "category": "Rent"}],
    "categories-unassign": [{"merchant": "Acme"}, {"merchant": CANARY}],
    "categories-rules": [{}, {"merchant": CANARY}],
    "categories-unsure": [{}, {"topic": CANARY}, {"limit": 100}],
    "categories-file_guesses": [{}, {"topic": CANARY}],
    "categories-ignore": [{"what": CANARY}, {"what": f"with the words {CANARY}"}, {"what": "Costco"}],
    "categories-count_again": [{"what": f"{CANARY} zoo"}, {"what": f"with the words {CANARY} zoo"}, {"what": "Nobody"}],
    "corrections-change": [
        *({"row": row, "field": "note", "value": "seen"} for row in (THEIR_ROW, THEIR_ROWS, CANARY, "the 77777.77")),
        *(
            {"row": "latest", "field": field, "value": value}
            for field, value in (
                ("category", f"{CANARY} seeds"),
                ("merchant", CANARY),
                ("note", "a bill"),
                ("labels", "work"),
                ("day", "1 October"),
                ("kind", "transfer"),
                ("amount", "5"),
            )
        ),
        {"row": "713.10 at Costco", "field": "kind", "value": "transfer"},
    ],
    "corrections-delete": [
        {"row": row} for row in (THEIR_ROW, THEIR_ROWS, CANARY, f"latest in {CANARY} account", "Costco")
    ],
    "corrections-split": [
        {"row": row, "parts": parts}
        for row in (THEIR_ROW, THEIR_ROWS, CANARY, "713.10 at Costco")
        for parts in ("100 groceries and the rest rent", f"100 {CANARY} seeds and the rest rent", "in half")
    ],
    "corrections-merge": [
        *({"row": row} for row in (THEIR_ROW, THEIR_ROWS, CANARY, "713.10 at Costco")),
        *({"row": "713.10 at Costco", "other": row} for row in (THEIR_ROW, CANARY, "5.00 at Netto Markt")),
    ],
    "corrections-link_refund": [
        *({"row": row} for row in (THEIR_ROW, THEIR_ROWS, CANARY)),
        {"row": THEIR_ROW, "purchase": "713.10 at Costco"},
        *({"row": "2500.00 from Acme", "purchase": of} for of in (CANARY, "5.00 at Netto Markt")),
    ],
    "corrections-link_transfer": [
        *({"row": row} for row in (THEIR_ROW, THEIR_ROWS, CANARY)),
        {"row": "713.10 at Costco", "other": THEIR_ROW},
        {"row": "713.10 at Costco", "account": f"{CANARY} account"},
        {"row": "2500.00 from Acme", "other": "300.00 at Own savings"},
    ],
    "corrections-unlink": [{"row": row} for row in (THEIR_ROW, THEIR_ROWS, CANARY, "300.00 at Own savings")],
    "transactions-came_back": [{"row": row} for row in (THEIR_ROW, THEIR_ROWS, CANARY, "713.10 at Costco")],
    "corrections-undo": [{"change": "last"}, {"change": THEIR_CHANGE}],
    "corrections-list": [{}, {"change": THEIR_CHANGE}],
    "entries-add": [
        {"amount": "12.50", "what": "Costco"},
        {"amount": "12.50", "what": "food", "account": f"{CANARY} account"},
        {"amount": "12.50", "what": "food", "category": f"{CANARY} seeds"},
        {"amount": "12.50", "what": CANARY},
        *({"amount": "99999.99", "what": "pay", "direction": way, "day": DAY.isoformat()} for way in ("in", "out")),
    ],
    "focus-activate": [{"mode": "month_close"}],
    "focus-deactivate": [{}],
}
