"""The agent: one turn as a LangGraph state machine."""
