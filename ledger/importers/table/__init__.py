"""Reads a table of transactions, whatever it came in: which column means what, then row by row."""
