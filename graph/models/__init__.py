"""Language models, and doing without."""
