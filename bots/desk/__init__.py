"""What a person can have done besides asking about their money: files, receipts, settings, deletion, help."""
