"""English words of the period grammar."""

from __future__ import annotations

from ledger.periods.spans import Unit
from ledger.periods.vocabulary import Behind, Role, Table, same

MONTH_NAMES = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_SMALL = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    *(
        f"twenty {one}"
        for one in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
    ),
    "thirtieth",
    "thirty first",
]

_CALENDAR: Table = {
    Role.MONTH: {name: number for number, name in enumerate(MONTH_NAMES, 1)}
    | {name[:3]: number for number, name in enumerate(MONTH_NAMES, 1)}
    | {"sept": 9}
    # Slips that are common and mean nothing else.
    | {"janurary": 1, "febuary": 2, "feburary": 2, "agust": 8, "septmber": 9, "septemeber": 9, "setpember": 9}
    | {"ocotber": 10, "octobor": 10, "novmber": 11, "novemeber": 11, "decmber": 12, "decemeber": 12},
    Role.WEEKDAY: {name: number for number, name in enumerate(_WEEKDAYS)}
    | {name[:3]: number for number, name in enumerate(_WEEKDAYS)}
    | {"tues": 1, "thur": 3, "thurs": 3},
    Role.WEEKDAYS: {form: (number,) for number, name in enumerate(_WEEKDAYS) for form in (f"{name}s", f"a {name}")}
    | {
        f"{name} {time}": (number,)
        for number, name in enumerate(_WEEKDAYS)
        for time in ("mornings", "afternoons", "evenings", "nights")
    }
    | same("weekends|week ends", (5, 6))
    | same("weekdays|week days|workdays|working days|business days|during the week", (0, 1, 2, 3, 4)),
    Role.SEASON: same("spring|springtime", 3)
    | same("summer|summertime", 6)
    | same("autumn|fall", 9)
    | same("winter|wintertime", 12),
    Role.UNIT: same("hour|hours|hrs", Unit.HOUR)
    | same("day|days", Unit.DAY)
    | same("weekend|weekends|wkend|wkends|wknd", Unit.WEEKEND)
    | same("week|weeks|wk|wks", Unit.WEEK)
    | same("month|months|mth|mths", Unit.MONTH)
    | same("quarter|quarters|qtr", Unit.QUARTER)
    | same("half|half year|half years", Unit.HALF)
    | same("year|years|yr|yrs", Unit.YEAR)
    | same("financial year|financial years|fiscal year|fiscal years|tax year|tax years|fy", Unit.FISCAL_YEAR),
    Role.MEASURED: same("fortnight", (2, Unit.WEEK))
    | same("half a year|half year", (6, Unit.MONTH))
    | same("year and a half|one and a half years", (18, Unit.MONTH)),
    Role.DAY: same("today|tonight|this morning|this afternoon|this evening", 0)
    | same("yesterday|yesteday|yesturday|last night", -1)
    | same("day before yesterday", -2),
    Role.NOW: same("now|date|the present|present|the current day"),
    Role.DAYTIME: same("morning|afternoon|evening|night|noon"),
    Role.TO_DATE: same("year to date|ytd", Unit.YEAR)
    | same("quarter to date|qtd", Unit.QUARTER)
    | same("month to date|mtd", Unit.MONTH)
    | same("week to date|wtd", Unit.WEEK),
    Role.ALL_TIME: same("since day one|from day one")
    | same("all time|all times|ever|entire history|full history|whole history|all history|entire time")
    | same("since the beginning|from the beginning|since the start|from the start|since forever|the beginning of time")
    | same("all|overall|lifetime|everything|always|anytime|any time", value=False),
    Role.QUARTER_CODE: same("q"),
    Role.HALF_CODE: same("h"),
    Role.WEEK_CODE: same("week|calendar week|week number|week no|w"),
}

_NAMED_DAYS: Table = {
    Role.NAMED_DAY: {
        **same("new year|new years|new year day|new years day", "new year"),
        **same("new year eve|new years eve|nye", "new year's eve"),
        **same("epiphany|three kings day", "epiphany"),
        **same("mlk day|martin luther king day", "mlk day"),
        **same("valentine|valentines|valentine day|valentines day", "valentine"),
        **same("presidents day|president day", "presidents day"),
        **same("mardi gras|shrove tuesday|pancake day", "mardi gras"),
        **same("ash wednesday", "ash wednesday"),
        **same("st patrick day|st patricks day|saint patrick day|saint patricks day|st paddys day", "st patrick"),
        **same("palm sunday", "palm sunday"),
        **same("good friday", "good friday"),
        **same("easter|easter weekend", "easter"),
        **same("easter sunday|easter day", "easter sunday"),
        **same("easter monday", "easter monday"),
        **same("may day", "may day"),
        **same("ascension day", "ascension"),
        **same("pentecost|whitsun", "whitsun"),
        **same("whit monday|pentecost monday", "whit monday"),
        **same("mother day|mothers day", "mother"),
        **same("father day|fathers day", "father"),
        **same("memorial day", "memorial day"),
        **same("juneteenth", "juneteenth"),
        **same("independence day|fourth of july|4 th of july|july fourth|july 4 th", "independence day"),
        **same("labor day|labour day", "labor day"),
        **same("columbus day|indigenous peoples day", "columbus day"),
        **same("halloween|hallowe en", "halloween"),
        **same("all saints day|all saints", "all saints"),
        **same("veterans day|veteran day", "veterans day"),
        **same("thanksgiving|thanksgiving day", "thanksgiving"),
        **same("black friday", "black friday"),
        **same("cyber monday", "cyber monday"),
        **same("giving tuesday", "giving tuesday"),
        **same("christmas eve|xmas eve", "christmas eve"),
        **same("christmas|xmas|x mas", "christmas"),
        **same("christmas day|xmas day", "christmas day"),
        **same("boxing day", "boxing day"),
    },
}

_GRAMMAR: Table = {
    Role.NUMBER: {word: number for number, word in enumerate(_SMALL, 1)}
    | same("a|an", 1)
    | {"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19}
    | {"twenty": 20, "twenty four": 24, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90},
    Role.COUNT: same("couple|couple of|a couple|a couple of", 2) | same("few|a few", 3) | same("dozen|a dozen", 12),
    Role.ORDINAL: {word: number for number, word in enumerate(_ORDINALS, 1)},
    Role.THIRD: same("beginning|start|early", 0) | same("mid|middle", 1) | same("end|late", 2),
    Role.LAST: same("last|this last", 1),
    Role.PAST: same("past|this past|these past|trailing|rolling"),
    Role.PREVIOUS: same("previous|prior|preceding"),
    Role.THIS: same("this|current|this current"),
    Role.NEXT: same("next|coming|upcoming"),
    Role.FOLLOWING: same("following|subsequent"),
    Role.SAME: same("same|this same"),
    Role.NEW: same("new"),
    Role.BEGAN: same("started|starts|began|begins|kicked off"),
    Role.STRETCH: same("period|time|time period|timeframe|dates|days|stretch|range"),
    Role.FULL: same("full|complete|entire|whole|calendar"),
    Role.WHOLE: same("all|all of|whole|whole of|entire|full|complete"),
    Role.AGO: same("ago"),
    Role.EARLIER: same("earlier|before|prior|previously", -1) | same("later|after|afterwards|afterward", 1),
    Role.THAT: same("that|it|that one"),
    Role.SO_FAR: same("so far|to date|until now|up to now|up until now|till now|as of now|as of today"),
    Role.SINCE: same("since|ever since|starting|starting in|starting from|starting on|beginning in|from and including"),
    Role.ONWARD: same("on|onward|onwards|forward"),
    Role.UNTIL: same("until|untill|till|til|through|thru|up until|up through|up to and including")
    | same("up to", value=False),
    Role.BEFORE: same("before|prior to|earlier than"),
    Role.AFTER: same("after|later than"),
    Role.FROM: same("from"),
    Role.BETWEEN: same("between"),
    Role.TO: same("to|up to|through|thru|until|till|til|up until|up through|through to"),
    Role.AND: same("and"),
    Role.OR: same("or"),
    Role.OF: same("of|in|from|during"),
    Role.PREPOSITION: same("in|for|on|at|of|from|within|around|over|across", value=False)
    | same("during|throughout|over the course of|in the course of"),
    Role.ARTICLE: same("the|whole|entire"),
    Role.EVERY: same("every|each|all|every single"),
}

_AROUND: Table = {
    Role.LINK: same("and|or|vs|v|versus|against|to|with|than|plus|compared to|compared with|then|nor"),
    Role.COMPARE: same("compare|compares|compared|comparing|comparison|vs|versus|difference|differ|differences|change"),
    Role.SHOW: same("show|list|total|compare|my|our|your|all|of|give|whole|entire|just|only|vs|versus|me|and"),
    Role.PRONOUN: same("i|we|you|he|she|they|it|one|someone|somebody|anyone|who|there|be|have|has|not|also|never|well")
    | same("the|a|an|my|our|your|his|her|their|this|that|these|those|need|require|still|god|us"),
    Role.STOP: same("in|on|at|for|from|of|to|with|and|or|but|than|vs|versus|by|as|is|was|were|are|did|do|does|have|has")
    | same("had|i|we|you|he|she|they|it|my|our|the|a|an|what|how|which|who|when|where|that|this|those|these|only|alone")
    | same("together|combined|separately|respectively|altogether|monthly|weekly|average|left|each|net")
    | same("please|again|compared|against|without|excluding|except|including|per|so|then|because|via|using|through|not")
    | same("spent|spend|spending|cost|costs|paid|pay|bought|buy|total|totals|expenses|expense|purchases|transactions")
    | same("transaction|payments|income|statement|bill|bills|budget|sum|if|while|too|also|since|until|before|after|s")
    | same("more|less|over|under|above|below|between|during|instead|like|just|about|am|pm|look|looks|come|was|go")
    | same("and|or|&|thanks|compare|show|list|break|broken|grouped|sorted|versus|restaurants|overall|ever"),
    Role.MONEY: same(
        "dollar|dollars|buck|bucks|usd|eur|euro|euros|pound|pounds|quid|gbp|chf|cent|cents|francs|yen|jpy|cad"
    )
    | same("percent|per cent|times|points|miles|kg|grand|k|m|million|thousand|mg|items|steps|rows|largest|biggest"),
    Role.AMOUNT: same(
        "over|under|above|below|than|least|most|exceeding|about|exactly|exceeds|exceed|amount|number|order"
    )
    | same("room|route|no|nr|equals|equal|roughly|approximately|nearly|almost|top|id|invoice|ref|store|apt|suite|unit")
    | same("paid|pay|pays|spent|spend|cost|costs|charged")
    | same("up to|minimum|maximum|min|max|atm|card|ending"),
    Role.TOP: same(
        "top|show|list|last|first|latest|recent|largest|biggest|smallest|highest|lowest|only|number|my|limit|to"
    )
    | same("over|under|than|previous|past|exactly|cheapest|newest|oldest|are|bought|buy|spent"),
    Role.BRAND: same("ruby tuesday|tgi friday|tgi fridays|t g i friday|t g i fridays|sunday times|sunday riley")
    | same("first watch|forever 21|five guys|motel 6|super 8|7 eleven|seven eleven|7 11|7 / 11|24 / 7|studio 54|pier 1")
    | same("may deli|mays deli|may company|march of dimes|march madness|second cup|first republic|fifth third")
    | same("four seasons|five below")
    | same("5 th avenue|fifth avenue|5 th street|friday night lights|summer fridays|casual friday|sun city|sun country")
    | same("sun life|sat nav|24 hour fitness"),
    Role.GO_THROUGH: same("get|gets|got|getting|gotten|go|goes|went|going|gone|come|comes|came|coming|run|ran|running")
    | same("burn|burns|burned|burnt|burning|blow|blew|blown|tear|tore|rip|ripped|put|right|straight"),
}

_EVENTS: Table = {
    Role.EVENT_CUE: same("since|ever since|until|untill|till|til|up until|during|throughout", Behind.ANYTHING)
    | same("while|whilst|whenever", Behind.CLAUSE)
    | same("when|back when|once", Behind.STATE)
    | same("before|after|prior to", Behind.NOUN)
    | same("over|in|within|across|around|last|this|latest", Behind.EVENT)
    | same("on|at|on the day of", Behind.DAY),
    Role.EVENT: same(
        "wedding|honeymoon|trip|vacation|holiday|holidays|vacations|festive season|party|funeral|birth|baby"
    )
    | same("divorce|breakup|separation|move|relocation|renovation|operation|surgery|accident|injury|illness|pregnancy")
    | same(
        "maternity leave|sabbatical|lockdown|pandemic|covid|corona|graduation|exams|semester|term|school|uni|college"
    )
    | same("university|internship|retirement|promotion|layoff|festival|conference|run up|pay day|payday|paydays")
    | same("pay period|pay periods|pay cycle|pay cycles|billing cycle|billing period|statement period")
    | same("bank holiday|bank holiday weekend|birthday|anniversary")
    | same("summer holidays|christmas period|christmas season|christmas holidays|easter holidays|winter break")
    | same("spring break|half term|school year|academic year"),
    Role.EVENT_YEAR: same("school year|academic year"),
    Role.EVENT_DAY: same("payday|pay day|paydays|birthday|anniversary|wedding day|moving day|graduation", value=False)
    | same("trip|vacation|holiday|honeymoon|cruise"),
    Role.VAGUE: same("recently|lately|these days|a while ago|some time ago|a while back|back then|back in the day")
    | same("the other day|the other week|the other night|the other month|at the time|in recent times|of late"),
    Role.DETERMINER: same("the|my|our|his|her|their|a|an|that|this|these|those|your|its"),
    Role.PERSON: same("i|we|he|she|they|things|everyone|everybody|everything"),
    Role.STATE: same("was|were|lived|worked|moved|stayed|studied|visited|travelled|traveled|quit|retired|married"),
    Role.MONEY_NOUN: same("tax|taxes|refund|refunds|refunded|return|returns|returned|rent|bill|bills|expense|expenses")
    | same("fee|fees|cost|costs|deduction|deductions|discount|discounts|spending|payment|payments|purchase|purchases")
    | same("transaction|transactions|transfer|transfers|charge|charges|mortgage|insurance|groceries|food|interest|loan")
    | same("total|price|tip|tips|amount|paid|pay|spent|spend|cash|money|category|merchant|gone|went out|took back"),
    Role.QUESTION: same("how|what|which|who|whom|whose|where|when"),
}

ENGLISH = (_CALENDAR, _NAMED_DAYS, _GRAMMAR, _AROUND, _EVENTS)
