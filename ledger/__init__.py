"""The user's money: store, search index and importers; knows no platform, no language model, no LangGraph."""
