"""Layouts of banks' files that their header and cells alone don't settle: a TOML file each, beside a sample and its rows."""
