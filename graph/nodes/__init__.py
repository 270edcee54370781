"""The four nodes of a turn: select, validate, call_tool, explain."""
