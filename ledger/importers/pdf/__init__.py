"""Bank statements as PDF: words with their places become lines, lines the rows of tables, and only what is proved is read."""
