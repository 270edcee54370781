"""From words to what a question means: pure, no store, no platform; what belongs to one language is data."""
