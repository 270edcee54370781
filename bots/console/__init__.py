"""The console: talking to Money Minder in a terminal, or through a pipe."""
