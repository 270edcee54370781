"""Words by language: one file each."""
