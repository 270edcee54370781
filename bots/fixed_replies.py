"""What is said where there is no answer: something failed, took too long, was stopped, or must wait."""

from __future__ import annotations

from graph.reply import Reply

FAILED = Reply("error", "Something went wrong on my side, so I have no answer. Please ask again.")
TOO_LONG = Reply("error", "That took too long, so I stopped. Please ask for less at once.")
GAVE_UP = Reply("error", "I tried this several times and could not finish it. Please ask in another way.")
STOPPED = Reply("refuse", "Stopped.")
BUSY = Reply("refuse", "Too many questions are waiting right now. Please ask again in a minute.")
SLOWER = "That was a lot at once. Please ask again in {seconds} second."
SLOWER_STILL = "That was a lot at once. Please ask again in {seconds} seconds."
UNSURE = Reply("error", "I could not find out who would read the answer, so I gave none. Please ask again.")
