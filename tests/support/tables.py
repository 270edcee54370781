"""Tables of hundreds of cases that take microseconds each: one test runs them all and names those that fail.

pytest takes some milliseconds for a test, in each of its workers; it should be asked for one where a case takes that itself.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

Test = Callable[..., None]


def every(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test with every case, as ``pytest.mark.parametrize`` does, and fail with all that failed."""
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    known = list(cases)
    assert known, "a table without cases shows nothing"

    def run_all(test: Test) -> Test:
        @functools.wraps(test)
        def run(**others: Any) -> None:
            failed: list[Exception] = []
            for case in known:
                values = _values(case, len(wanted))
                try:
                    test(**dict(zip(wanted, values, strict=True)), **others)
                except Exception as error:  # noqa: BLE001
                    error.add_note(f"in the case {', '.join(map(repr, values))}")
                    failed.append(error)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(known)} cases failed", failed[:20])

        signature = inspect.signature(test)
        left = [parameter for name, parameter in signature.parameters.items() if name not in wanted]
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    return run_all


def _values(case: Any, count: int) -> tuple[Any, ...]:
    if hasattr(case, "marks") and hasattr(case, "values"):  # a pytest.param
        assert not case.marks, "a marked case is a test of its own"
        return tuple(case.values)
    return (case,) if count == 1 else tuple(case)
