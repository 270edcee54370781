"""Golden questions and the scoreboard: asks the command, and computes what is right by itself."""
