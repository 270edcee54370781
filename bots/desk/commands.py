"""The words of the ``/money`` command: what follows it, as a call, a duty or a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.contracts import Duty, Question
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Callable

    from bots.contracts import Content


@dataclass(frozen=True, slots=True)
class Command:
    """One word that a command line may begin with: what may follow it, what it does, and a line that works."""

    name: str
    argument: str
    meaning: str
    example: str

    @property
    def usage(self) -> str:
        """How it is written."""
        return f"{self.name} {self.argument}".rstrip()


COMMANDS = {
    command.name: command
    for command in (
        Command("summary", "[period]", "what you spent, by category", "summary q3 2025"),
        Command("category", "NAME [period]", "spending in a category", "category groceries last month"),
        Command("merchant", "NAME [period]", "spending at a shop", "merchant Amazon since May"),
        Command("search", "WORDS [period]", "transactions by what they say", "search coffee over 5"),
        Command("compare", "ONE and ANOTHER", "two months, shops or categories", "compare October and September"),
        Command("import", "", "how to bring bank files in", "import"),
        Command("sample", "", "made-up data to try things out with", "sample"),
        Command("export", "", "all your transactions as a file", "export"),
        Command(
            "accounts", "[CHANGE]", "your accounts; rename, merge or delete one", "accounts rename Visa to My card"
        ),
        Command("settings", "", "time zone, week start, payday, locale, currency", "settings"),
        Command("link", "[CODE]", "one ledger here and on another platform", "link"),
        Command("unlink", "", "a ledger of its own here again", "unlink"),
        Command("undo", "", "take the last change or import back", "undo"),
        Command("forget", "[conversations|everything]", "delete your data", "forget conversations"),
        Command("help", "", "what can be asked", "help"),
    )
}

_FORGETTABLE = ("conversations", "everything")
#: First words of what changes an account.
_CHANGING = frozenset(
    "rename call name merge combine delete remove set make benenne nenne lösche entferne führe".split()
)
#: What is said behind “workspace”; nothing shows what holds.
_OF_EVERYBODY = ("", "sharing", "keep", "people", "export", "delete")
#: The tool that lists a person's accounts.
LIST_ACCOUNTS = "accounts-list"
#: What is looked up by names and a period.
LOOKUPS = ("summary", "category", "merchant", "search", "compare")


def read_command(text: str) -> Content:
    """Return what follows the command; nothing at all asks for help.

    What begins with none of the :data:`COMMANDS` is a question as it stands.
    """
    line = " ".join(text.split())
    word, _, rest = line.partition(" ")
    name = word.casefold().strip("/:")
    if not line or name in ("help", "?", "hilfe"):
        return _help(line, rest)
    if name in _OWN:
        return _OWN[name](line, rest)
    if name in LOOKUPS:
        return Duty(name, {"line": rest}) if rest or name == "summary" else usage(name)
    if name in COMMANDS:
        valued = rest and (name == "link" or (name == "undo" and rest.isdecimal()))
        return Duty(name, {"value": rest} if valued else {})
    return Question(line)


def usage(name: str) -> Duty:
    """Return the duty that tells how a command is used."""
    return Duty("help", {"value": name})


def _help(line: str, rest: str) -> Content:
    about = rest.casefold()
    if about and about not in COMMANDS:
        return Question(line)
    return usage(about) if about else Duty("help")


def _forget(line: str, rest: str) -> Content:
    """Delete what is named; "forget my note about the rent" is about notes, which is a question of its own."""
    what = rest.casefold().removeprefix("my ").removeprefix("all ").rstrip(".!")
    if what and what not in _FORGETTABLE:
        return Question(line)
    return Duty("forget", {"value": what} if what else {})


def _accounts(line: str, rest: str) -> Content:
    """List the accounts, or change what follows; “accounts with the most fees” is a question."""
    if not rest:
        return Call(LIST_ACCOUNTS, {})
    return Question(rest if rest.split(maxsplit=1)[0].casefold() in _CHANGING else line)


def _workspace(line: str, rest: str) -> Content:
    """See or change what holds for everybody; it stands in no list, as few may. “workspace fees this year” is a question."""
    word = rest.partition(" ")[0].casefold()
    return Duty("workspace", {"value": rest}) if word in _OF_EVERYBODY else Question(line)


_OWN: dict[str, Callable[[str, str], Content]] = {"forget": _forget, "accounts": _accounts, "workspace": _workspace}
