"""What our messages are in other languages: a folder for each, of gettext catalogues (PO)."""
