"""Forms of a sentence by which a factor of it is told where the reader's guess is not enough.

Their patterns are data of each language (``[forms]`` of ``data/<language>.toml``), matched in text that is folded in place
(:func:`language.words.fold_in_place`).
"""

from __future__ import annotations

from language.lexicon import form

NTH = {2: form("second"), 3: form("third"), 4: form("fourth")}
SALARY = form("salary")
#: What an employer or a pension fund pays.
WAGES = form("wages")
ONES_PAY = form("ones_pay")
JOBS = form("jobs")
WEEKDAY = form("weekday")
RANKED_AT = form("ranked_at")
FORTNIGHTLY = form("fortnightly")
NET_OF_IT = form("net_of_it")
WHICH_ACCOUNT = form("which_account")
ACCOUNT_GREW = form("account_grew")
#: From one time to another: the two groups that are not empty; for text as it is written, in any case.
FROM_TO = form("from_to")
TO_SAVINGS = form("to_savings")
SUBSCRIBED = form("subscribed")
QUARTERS = form("quarters")
#: An average of an interval, whose word is the group that is not empty.
AVERAGE_OF = form("average_of")
#: Something regular costs or brings more or less than before.
REPRICED = form("repriced")
#: What it is most of the time.
USUALLY = form("usually")
#: How many times it did.
HOW_MANY_TIMES = form("how_many_times")
#: How far apart the payments of something regular are.
EVERY_HOW_MANY = form("every_how_many")
FELL = form("fell")
#: It became another, whichever way.
ANYHOW = form("anyhow")
BY_HOW_MUCH = form("by_how_much")
#: What was there before what is there now.
FORMER = form("former")
#: The same, told by a noun of its own.
OLD_ONE = form("old_one")
#: A price, and no sum of what was spent.
PAID_NOW = form("paid_now")
#: By how many percent the last answer is above or below the one before.
UP_BY_PERCENT = form("up_by_percent")
#: Which of several that were asked about one after the other it was most of.
WHICH_OF_THEM = form("which_of_them")
WHAT_CHANGED = form("what_changed")
EACH = form("each")
STILL = form("still")
STOPPED = form("stopped")
NEW = form("new")
MORE = form("more")
#: How two figures differ, in a word.
MORE_OR_LESS = form("more_or_less")
#: What of a list of what recurs is asked for, the first that fits.
WANTED = (("new", NEW), ("ended", STOPPED), ("count", form("how_many")), ("sum", form("what_sum")))
SAVED = form("saved")
#: Words for what is paid, so that a list of it leaves out what came in.
PAID = form("paid")
SPENT = form("spent")
#: Something is to be taken off a figure.
TAKEN_OFF = form("taken_off")
#: What is owed on a card is settled.
PAID_OFF = form("paid_off")
PLACES = form("places")
PERCENT = form("percent")
OF_INCOME = form("of_income")
MONTHS = form("months")
CHARGED = form("charged")
#: Both of the last two answers.
BOTH = form("both")
#: Words after which what came back is off already ("after the refund", "Rückerstattung abgezogen").
NETTED = form("netted")
#: Why something was so.
WHY = form("why")
#: What one charge was for.
WHAT_WAS = form("what_was")
#: A message that leaves what was said before.
NEW_TOPIC = form("new_topic")
#: What is in an account, in so many words.
BALANCE = form("balance")
#: What of a balance is asked for: the lowest or highest one, one below zero, what is owed, all of it together, its course.
LOWEST = form("lowest")
HIGHEST = form("highest")
OVERDRAWN = form("overdrawn")
OWED = form("owed")
NET_WORTH = form("net_worth")
HISTORY = form("history")
#: The present, in a question about a state.
AT_PRESENT = form("at_present")
#: The beginning of a time, before anything of it was booked.
AT_THE_START = form("at_the_start")
#: What is not yet.
WILL_BE = form("will_be")
#: What somebody asks for their work at one time.
CHARGING = form("charging")
#: What is yet to be paid on top of what was.
YET_TO_PAY = form("yet_to_pay")
#: What may be drawn, which no balance tells.
LIMIT = form("limit")
#: What somebody else earns.
THEIR_PAY = form("their_pay")
#: What somebody else has in an account.
THEIR_MONEY = form("their_money")
#: Advice is asked for.
ADVISED = form("advised")
#: What a platform or a customer paid out to whoever asks.
PAID_OUT = form("paid_out")
#: The day of what was answered.
WHICH_DAY = form("which_day")
#: The shop of what was answered.
WHICH_PLACE = form("which_place")
#: What came back of money that was spent.
CAME_BACK = form("came_back")
#: A sum as it was before anything came back of it, in all the words that say so.
GROSS = form("gross")
#: One figure after the other, in the order of their times: the number of them is a group named ``count…``, and what stays of
#: the words in between is one named ``kept…``.
IN_A_ROW = form("in_a_row")
#: What alone is to be told, which every answer does.
ONLY_SO = form("only_so")
#: Every account; the word for their number is the group that is not empty.
ALL_ACCOUNTS = form("all_accounts")
#: Cash was taken out.
DRAWN = form("drawn")
#: At any time since.
EVER = form("ever")
#: What was answered as one figure, one by one.
ITEMISED = form("itemised")
#: What was left of a sum when all of it had come back that did.
IN_THE_END = form("in_the_end")
#: What comes again and again, and so has a price.
REGULAR_THINGS = form("regular_things")
#: The year up to now.
A_YEAR_BACK = form("a_year_back")
#: The same time, a year before.
YEAR_AGO = form("year_ago")
#: Which price moved the most.
DEARER_MOST = form("dearer_most")
#: Intervals in which there was nothing; the word for the interval is the group that is not empty.
EMPTY_ONES = form("empty_ones")
#: Whether there was an interval without anything, and whether there was none; the word for the interval, if one is said, is
#: the group that is not empty.
ANY_OMITTED = form("any_omitted")
NONE_OMITTED = form("none_omitted")
#: Words by which it is told that something did not come, and the day by which it was due.
OMISSION = form("omission")
#: How far apart two days are.
DAYS_BETWEEN = form("days_between")
#: How long ago something was.
DAYS_AGO = form("days_ago")
#: In one payment.
AT_ONCE = form("at_once")
LAST_TWO = form("last_two")
#: What something was at first.
AT_FIRST = form("at_first")
#: The same of the week, month or year before.
THE_PERIOD_BEFORE = form("the_period_before")
#: A figure for each month or week, in so many words; the word for the interval is the group that is not empty.
ONE_BY_ONE = form("one_by_one")
#: The last two answers as one.
TOGETHER = form("together")
#: Money that came back from savings.
SAVED_BACK = form("saved_back")
#: The same, with the savings named that it came from.
OUT_OF_SAVINGS = form("out_of_savings")
#: Who paid or was paid.
WHO = form("who")
#: All who paid, by whatever word they are asked after.
PAYERS = form("payers")
#: One purchase of a kind, in one word with it.
ONE_PURCHASE = form("one_purchase")
#: A price as it was at all times.
ALWAYS_SO = form("always_so")
#: Something done for whoever asks, which nothing here does.
ORDERED = form("ordered")
#: How many times more at one than at another.
MORE_OFTEN = form("more_often")
#: Several are asked after.
WHICH = form("which")
#: A sum is asked for, though no word says so.
SUM_ASKED = form("sum_asked")
#: What has happened, and is not still to come.
HAPPENED = form("happened")
#: The time since the last payday.
SINCE_PAYDAY = form("since_payday")
#: How often something regular comes; the word for the interval is the group that is not empty.
COMES_EVERY = form("comes_every")
#: What was bought, of which only the payments are known.
WHAT_BOUGHT = form("what_bought")
#: What the regular thing that was spoken of will cost.
ITS_PRICE = form("its_price")
#: Somebody paid whoever asks.
TO_ME = form("to_me")
#: A part of something that is somebody else’s to pay.
THEIRS = form("theirs")
#: For a whole year.
A_YEAR = form("a_year")
#: Whoever asks paid somebody.
I_PAID = form("i_paid")
#: Whoever asks pays for something regular.
I_PAY = form("i_pay")
#: What was bought with a card.
ON_THE_CARD = form("on_the_card")
#: Somebody got it from whoever asks.
FROM_ME = form("from_me")
#: Money that goes to somebody who is not named.
TO_SOMEBODY = form("to_somebody")
#: What went to somebody beside what they sent.
BOTH_WAYS = form("both_ways")
OWES_ME = form("owes_me")
#: On one receipt, behind an article that is on it.
ON_A_RECEIPT = form("on_a_receipt")
#: The same the other way round.
REVERSED = form("reversed")
#: The largest of what was paid ("the most I've ever paid for …").
MOST_PAID = form("most_paid")
#: The last time of all, whatever time was spoken of.
LAST_TIME = form("last_time")
#: The day of something is asked for.
WHEN = form("when")
#: More at one than at another.
MORE_AT = form("more_at")
#: Income and spending, both asked for.
IN_AND_OUT = form("in_and_out")
IN_FIRST = form("in_first")
#: What went out, or was spent.
WENT_OUT = form("went_out")
#: A sum and a number, both asked for.
SUM_AND_NUMBER = form("sum_and_number")
SUM_FIRST = form("sum_first")
HOW_OFTEN = form("how_often")
NUMBER_ASKED = form("number_asked")
#: Each of what is named, by itself.
EACH_OF = form("each_of")
#: More than an average.
ABOVE_AVERAGE = form("above_average")
#: More went out than came in, or less.
MORE_THAN_CAME_IN = form("more_than_came_in")
#: Money that comes in.
COMES_IN = form("comes_in")
#: What is behind these is what something is compared to.
COMPARED_TO = form("compared_to")
#: One thing set against another.
COMPARES = form("compares")
#: The rows of what was answered.
WHICH_ONES = form("which_ones")
#: What was counted or listed, as money.
AMOUNT = form("amount")
PRICED = form("priced")
#: The one before the latest.
ONE_BEFORE = form("one_before")
#: Words that are looked for in what the bank wrote.
SEARCHES = form("searches")
#: The words for how much, how many and how often; those that begin a question; those that join two, and may stand before one.
HOW_MUCH = form("how_much")
QUESTION_WORD = form("question_word")
JOINED_BY = form("joined_by")
ALSO = form("also")
PLACED = form("placed")
#: Words that begin a sentence which goes on with the one before; for text as it is written.
GOES_ON = form("goes_on")
#: Words that are meant as they stand ("with the word Lourdes"): the group that is not empty; for text as it is written.
QUOTED = form("quoted")
#: What a fee is called, behind what it is for; for text as it is written.
NAMED_FEE = form("named_fee")
#: A name with a noun for what was bought there ("REWE-Einkäufe"): the two groups that are not empty; for text as it is written.
COMPOUND = form("compound")
#: Words by which somebody takes back what they have just written; for text as it is written.
REPAIR = form("repair")
END_OF = form("end_of")
#: In a model's explanation, for text as it is written: words for an example, those that announce one, those that may stand
#: beside them, and those that join two.
FOR_EXAMPLE = form("for_example")
ANNOUNCES_EXAMPLE = form("announces_example")
BESIDE_EXAMPLE = form("beside_example")
JOINS_EXAMPLES = form("joins_examples")
