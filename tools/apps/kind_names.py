"""What kinds of transaction are called to a person, each so that it follows “counts as”."""

from __future__ import annotations

from ledger.transactions import Kind

KINDS = {
    Kind.TRANSFER: "a transfer between your own accounts",
    Kind.CARD_PAYMENT: "a payment of your card's bill",
    Kind.PURCHASE: "spending",
    Kind.INCOME: "income",
    Kind.REFUND: "a refund",
    Kind.FEE: "a bank fee",
    Kind.INTEREST: "interest",
    Kind.CASH: "a cash withdrawal",
    Kind.LOAN_PAYMENT: "a loan payment",
    Kind.LEFT_OUT: "left out by your rule",
}
