"""Utterances by what they ask for, one file each, from which the reader is trained (docs/accuracy.md)."""
