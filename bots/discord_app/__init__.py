"""Discord: messages, commands and presses come in as messages, replies go out as text with buttons."""
