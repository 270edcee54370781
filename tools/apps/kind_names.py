"""What kinds of transaction are called to a person, each so that it follows “counts as”."""

from __future__ import annotations

from language.catalogue import say
from ledger.transactions import Kind

KINDS = {
    Kind.TRANSFER: say("a transfer between your own accounts"),
    Kind.CARD_PAYMENT: say("a payment of your card's bill"),
    Kind.PURCHASE: say("spending"),
    Kind.INCOME: say("income"),
    Kind.REFUND: say("a refund"),
    Kind.FEE: say("a bank fee"),
    Kind.INTEREST: say("interest"),
    Kind.CASH: say("a cash withdrawal"),
    Kind.LOAN_PAYMENT: say("a loan payment"),
    Kind.LEFT_OUT: say("left out by your rule"),
}
