"""What ``--json`` prints: the shapes that scripts rely on."""

from __future__ import annotations

import shlex
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bots.import_words import CURRENCY_QUESTION, DIRECTION_QUESTION, PERSON_QUESTION, layout_words
from ledger.direction import Told
from ledger.errors import AmbiguousCurrency, AmbiguousDates, AmbiguousPerson
from ledger.money import Money, to_decimal, to_minor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.reply import Reply
    from ledger.balances import Stated
    from ledger.imports import ImportReport
    from ledger.periods import Period
    from ledger.reconciling import FileBalance
    from ledger.statement_writer import FileReport
    from tools.results import Fact, Table


def value_json(value: Any) -> Any:
    """Return a plain value: decimals and days as texts, money as an object."""
    if isinstance(value, Money):
        return {"amount": str(value.amount), "currency": value.currency}
    if isinstance(value, Decimal):
        return format(value, "f")
    return value.isoformat() if isinstance(value, date) else value


def facts_json(facts: Sequence[Fact]) -> list[dict[str, Any]]:
    """Return facts, numbered in order as references name them."""
    return [
        {
            "id": f"f{number}",
            "name": fact.id,
            "label": fact.label,
            "subject": fact.subject,
            "value": value_json(fact.value),
            "currency": fact.currency,
            "unit": fact.unit,
            "how": fact.how,
        }
        for number, fact in enumerate(facts, start=1)
    ]


def table_json(table: Table | None) -> dict[str, Any] | None:
    """Return a table with its columns' units."""
    if table is None:
        return None
    return {
        "columns": [{"title": column.title, "unit": column.unit} for column in table.columns],
        "rows": [[value_json(cell) for cell in row] for row in table.rows],
    }


def period_json(period: Period | None) -> dict[str, str | None] | None:
    """Return inclusive dates; an open side is null."""
    if period is None:
        return None
    return {
        "start": None if period.start == date.min else period.start.isoformat(),
        "end": None if period.end == date.max else period.end.isoformat(),
    }


def reply_json(reply: Reply, trace: dict[str, Any], row_ids: Sequence[int], seconds: float) -> dict[str, Any]:
    """Return an answer with everything that led to it."""
    return {
        "kind": reply.kind,
        "text": reply.plain(),
        "headline": reply.headline,
        "facts": facts_json(reply.facts),
        "calls": [
            {
                "name": call["name"],
                "arguments": call["arguments"],
                "proposed_by": call["by"],
                "changed_by_validation": bool(call["changes"]),
                "changes": call["changes"],
                "status": call["status"],
            }
            for call in trace.get("calls", [])
            if call["status"] in ("done", "failed")
        ],
        "choices": [choice.label for choice in reply.choices],
        "period": period_json(reply.period),
        "table": table_json(reply.table),
        "row_ids": list(row_ids),
        "scope": {"tool": reply.scope.tool, "arguments": reply.scope.arguments} if reply.scope else None,
        "audience": reply.audience.value,
        "rounds": trace.get("rounds", 0),
        "model": trace.get("answered_by", "builtin"),
        "confidence": trace.get("planner", {}).get("confidence"),
        "usage": trace.get("usage", {"model_calls": 0, "input_tokens": 0, "output_tokens": 0}),
        "seconds": round(seconds, 3),
    }


def import_json(report: ImportReport) -> dict[str, Any]:
    """Return what became of an import."""
    return {"batch": report.batch, "files": [_file_json(file) for file in report.files]}


def _file_json(file: FileReport) -> dict[str, Any]:
    if file.error is not None:
        asked = {"question": _question_json(file), "warnings": list(file.warnings)} if file.question else {}
        return {"file": file.file, "error": file.error, **asked}
    return {
        "file": file.file,
        "format": file.format,
        "account": file.account,
        "found": file.found,
        "added": file.added,
        "duplicates": file.duplicates,
        "rejected": [{"row": row.row, "reason": row.reason} for row in file.rejected],
        "sums": {currency: _sum(amount, currency) for currency, amount in sorted(file.sums.items())},
        "first": file.first.isoformat() if file.first else None,
        "last": file.last.isoformat() if file.last else None,
        "out": {
            each.currency: {"sum": _sum(each.out, each.currency), "rows": each.out_rows} for each in file.movements
        },
        "in": {
            each.currency: {"sum": _sum(each.into, each.currency), "rows": each.into_rows} for each in file.movements
        },
        "direction": file.direction,
        "read_as": layout_words(file.table, file.said_on),
        "warnings": list(file.warnings),
        "balances": [_balance_json(balance) for balance in file.balances],
    }


def _sum(amount: Decimal, currency: str) -> str:
    """Return a sum of amounts, in no more decimals than its currency has."""
    booked = to_decimal(to_minor(amount, currency), currency)
    return format(min(amount, booked, key=lambda each: -int(each.as_tuple().exponent)), "f")


def _balance_json(balance: FileBalance) -> dict[str, Any]:
    """Return the last balance that a file states of an account, and whether the rows lead there from another one."""

    def stated(of: Stated) -> dict[str, Any]:
        return {"on": of.on.isoformat(), "amount": format(to_decimal(of.minor, balance.currency), "f")}

    return {
        "account": balance.account,
        "currency": balance.currency,
        **stated(balance.stated),
        "from": stated(balance.start) if balance.start else None,
        "adds_up": balance.gap is None if balance.start or balance.gap else None,
    }


def _question_json(file: FileReport) -> dict[str, Any]:
    """Return what must be answered before a file can be read, and the options that answer it."""
    question = file.question
    if isinstance(question, AmbiguousDates):
        days = [day.isoformat() for day in question.choices]
        return {
            "kind": "dates",
            "cell": question.cell,
            "readings": days,
            "answers": ["--day-first", "--no-day-first"],
        }
    if isinstance(question, AmbiguousPerson):
        answers = [f"--person {shlex.quote(name)}" for name in question.people]
        return {"kind": "person", "text": PERSON_QUESTION, "people": list(question.people), "answers": answers}
    rows = question.rows if question else ()
    shown = [{"date": row.booked_on.isoformat(), "description": row.description, "amount": row.amount} for row in rows]
    if isinstance(question, AmbiguousCurrency):
        answers = [f"--currency {code}" for code in question.choices]
        return {"kind": "currency", "text": CURRENCY_QUESTION, "rows": shown, "answers": answers}
    answers = [f"--direction {told.value}" for told in Told]
    return {"kind": "direction", "text": DIRECTION_QUESTION, "rows": shown, "answers": answers}
