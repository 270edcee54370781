"""The command ``money-minder``."""
