"""Tables that the ledger reads: categories, merchant category codes, brands."""
