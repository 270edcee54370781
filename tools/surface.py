"""What the place of an answer lets a person do, and the words for it: what is said in one place makes no sense in another."""

from __future__ import annotations

from dataclasses import dataclass

from language.catalogue import Template, say


@dataclass(frozen=True, slots=True)
class Surface:
    """One kind of place. A file can be dropped in it, a command brings one, or neither, and then direct messages do."""

    drops: bool = False
    """Whether a file can be dropped where the answer stands, and nobody else can open it."""
    command: str = ""
    """What commands begin with, where one brings a file without anybody else seeing it."""
    terminal: bool = False
    """Whether the person is at the machine itself."""

    @property
    def bringing(self) -> Template:
        """How a bank file is brought in, to be said after what file that is."""
        if self.terminal:
            return say("bring it in with money-minder import FILE, or /import FILE in the console")
        if self.drops:
            return say("drop it here")
        if self.command:
            form = "bring it in with {command}, or send it to me in a direct message"
            return say(form, command=f"{self.command} import")
        return say("send it to me in a direct message")

    @property
    def sample(self) -> str:
        """How made-up data is brought in, as the beginning of a sentence."""
        return "In the console, /sample" if self.terminal else self._named("sample", "sample")

    @property
    def forgetting(self) -> str:
        """What deletes all that is kept of a person, as the beginning of a sentence."""
        return "In the console, /forget" if self.terminal else self._named("forget", "forget everything")

    def _named(self, command: str, words: str) -> str:
        """Return the command, or where there is none the words that are typed for it."""
        return say("{command}", command=f"{self.command} {command}") if self.command else f"“{words}”"


#: The console and the command.
TERMINAL = Surface(terminal=True)
#: Where nobody else is.
DIRECT = Surface(drops=True)
#: Where others are.
AMONG_OTHERS = Surface()
