"""The built-in tools, one module per app."""
