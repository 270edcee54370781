"""Slack: events and presses come in as messages, replies go out as blocks."""
