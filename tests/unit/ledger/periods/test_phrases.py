"""What one phrase after another means on Saturday 21 November 2026."""

from __future__ import annotations

from datetime import date

from ledger.periods import parse_period
from tests.support.tables import every

TODAY = date(2026, 11, 21)


def table(rows: str) -> list[tuple[str, str, str]]:
    """Read lines of "phrase | start | end"; a start alone is a single day."""
    cells = [[cell.strip() for cell in line.split("|")] for line in rows.strip().splitlines()]
    return [(row[0], row[1], row[-1]) for row in cells]


RELATIVE = """
last month                | 2026-10-01 | 2026-10-31
this month                | 2026-11-01 | 2026-11-21
the current month         | 2026-11-01 | 2026-11-21
last 3 months             | 2026-08-01 | 2026-10-31
last_3_months             | 2026-08-01 | 2026-10-31
last three months         | 2026-08-01 | 2026-10-31
last 3 full months        | 2026-08-01 | 2026-10-31
past 3 months             | 2026-08-01 | 2026-10-31
over the past three months| 2026-08-01 | 2026-10-31
previous 3 months         | 2026-08-01 | 2026-10-31
last couple of months     | 2026-09-01 | 2026-10-31
last few months           | 2026-08-01 | 2026-10-31
last 12 months            | 2025-11-01 | 2026-10-31
last twelve months        | 2025-11-01 | 2026-10-31
last week                 | 2026-11-09 | 2026-11-15
this week                 | 2026-11-16 | 2026-11-21
last two weeks            | 2026-11-02 | 2026-11-15
the past two weeks        | 2026-11-02 | 2026-11-15
past week                 | 2026-11-15 | 2026-11-21
past month                | 2026-10-23 | 2026-11-21
this past week            | 2026-11-15 | 2026-11-21
for the year              | 2026-01-01 | 2026-11-21
past year                 | 2025-11-22 | 2026-11-21
past 30 days              | 2026-10-23 | 2026-11-21
past_30_days              | 2026-10-23 | 2026-11-21
last 30 days              | 2026-10-23 | 2026-11-21
last thirty days          | 2026-10-23 | 2026-11-21
last 7 days               | 2026-11-15 | 2026-11-21
30 days                   | 2026-10-23 | 2026-11-21
last 1 day                | 2026-11-21
in the last 24 hours      | 2026-11-20 | 2026-11-21
past 48 hours             | 2026-11-19 | 2026-11-21
last quarter              | 2026-07-01 | 2026-09-30
this quarter              | 2026-10-01 | 2026-11-21
last 2 quarters           | 2026-04-01 | 2026-09-30
this year                 | 2026-01-01 | 2026-11-21
last year                 | 2025-01-01 | 2025-12-31
over the last year        | 2025-01-01 | 2025-12-31
last 2 years              | 2024-01-01 | 2025-12-31
all year                  | 2026-01-01 | 2026-11-21
year to date              | 2026-01-01 | 2026-11-21
YTD                       | 2026-01-01 | 2026-11-21
month to date             | 2026-11-01 | 2026-11-21
quarter-to-date           | 2026-10-01 | 2026-11-21
week to date              | 2026-11-16 | 2026-11-21
today                     | 2026-11-21
yesterday                 | 2026-11-20
day before yesterday      | 2026-11-19
last night                | 2026-11-20
3 days ago                | 2026-11-18
two weeks ago             | 2026-11-02 | 2026-11-08
3 months ago              | 2026-08-01 | 2026-08-31
a year ago                | 2025-01-01 | 2025-12-31
the month before last     | 2026-09-01 | 2026-09-30
so far this month         | 2026-11-01 | 2026-11-21
this year so far          | 2026-01-01 | 2026-11-21
2026 so far               | 2026-01-01 | 2026-11-21
2025 to date              | 2025-01-01 | 2026-11-21
last fortnight            | 2026-11-02 | 2026-11-15
a fortnight ago           | 2026-11-02 | 2026-11-08
the last half year        | 2026-05-01 | 2026-10-31
half a year ago           | 2026-05-01 | 2026-05-31
the last year and a half  | 2025-05-01 | 2026-10-31
this month last year      | 2025-11-01 | 2025-11-30
this week last year       | 2025-11-17 | 2025-11-23
"""

CALENDAR = """
December                  | 2025-12-01 | 2025-12-31
november                  | 2026-11-01 | 2026-11-21
in October                | 2026-10-01 | 2026-10-31
Oct.                      | 2026-10-01 | 2026-10-31
may                       | 2026-05-01 | 2026-05-31
November 2026             | 2026-11-01 | 2026-11-30
December 2026             | 2026-12-01 | 2026-12-31
Oct '26                   | 2026-10-01 | 2026-10-31
october, 2025             | 2025-10-01 | 2025-10-31
October of 2025           | 2025-10-01 | 2025-10-31
October last year         | 2025-10-01 | 2025-10-31
last year in October      | 2025-10-01 | 2025-10-31
October two years ago     | 2024-10-01 | 2024-10-31
last October              | 2026-10-01 | 2026-10-31
last November             | 2025-11-01 | 2025-11-30
this October              | 2026-10-01 | 2026-10-31
the month of May          | 2026-05-01 | 2026-05-31
2026                      | 2026-01-01 | 2026-12-31
in 2025                   | 2025-01-01 | 2025-12-31
in '25                    | 2025-01-01 | 2025-12-31
the year 2025             | 2025-01-01 | 2025-12-31
all of 2025               | 2025-01-01 | 2025-12-31
2024-2026                 | 2024-01-01 | 2026-12-31
Q3                        | 2026-07-01 | 2026-09-30
Q4                        | 2026-10-01 | 2026-11-21
Q3 2025                   | 2025-07-01 | 2025-09-30
Q3/2025                   | 2025-07-01 | 2025-09-30
2025-Q3                   | 2025-07-01 | 2025-09-30
third quarter             | 2026-07-01 | 2026-09-30
the 3rd quarter of 2025   | 2025-07-01 | 2025-09-30
first quarter of last year| 2025-01-01 | 2025-03-31
last quarter of 2025      | 2025-10-01 | 2025-12-31
H1 2025                   | 2025-01-01 | 2025-06-30
first half of 2025        | 2025-01-01 | 2025-06-30
week 42                   | 2026-10-12 | 2026-10-18
2025-W42                  | 2025-10-13 | 2025-10-19
2026-W01                  | 2025-12-29 | 2026-01-04
week of October 5         | 2026-10-05 | 2026-10-11
summer 2025               | 2025-06-01 | 2025-08-31
last summer               | 2026-06-01 | 2026-08-31
last autumn               | 2025-09-01 | 2025-11-30
this fall                 | 2026-09-01 | 2026-11-21
winter                    | 2025-12-01 | 2026-02-28
winter 2025/26            | 2025-12-01 | 2026-02-28
the spring of 2025        | 2025-03-01 | 2025-05-31
"""

PARTS = """
first week of October     | 2026-10-01 | 2026-10-07
second week of October    | 2026-10-08 | 2026-10-14
third week of October     | 2026-10-15 | 2026-10-21
4th week of October       | 2026-10-22 | 2026-10-28
fifth week of October     | 2026-10-29 | 2026-10-31
last week of October      | 2026-10-25 | 2026-10-31
last week of Feb 2024     | 2024-02-23 | 2024-02-29
first week october        | 2026-10-01 | 2026-10-07
first week of November    | 2026-11-01 | 2026-11-07
second week of last month | 2026-10-08 | 2026-10-14
first two weeks of October| 2026-10-01 | 2026-10-14
last 3 days of October    | 2026-10-29 | 2026-10-31
last day of February 2024 | 2024-02-29
first 3 months of 2025    | 2025-01-01 | 2025-03-31
first half of October     | 2026-10-01 | 2026-10-15
second half of October    | 2026-10-16 | 2026-10-31
second half of Feb 2025   | 2025-02-16 | 2025-02-28
first half of the month   | 2026-11-01 | 2026-11-15
beginning of October      | 2026-10-01 | 2026-10-10
beginning of last weekend | 2026-11-14 | 2026-11-14
end of last weekend       | 2026-11-15 | 2026-11-15
early October             | 2026-10-01 | 2026-10-10
mid-October               | 2026-10-11 | 2026-10-20
the end of October        | 2026-10-21 | 2026-10-31
end of last month         | 2026-10-21 | 2026-10-31
early 2025                | 2025-01-01 | 2025-03-31
end of 2025               | 2025-10-01 | 2025-12-31
the first Monday in October | 2026-10-05
last Friday of October    | 2026-10-30
first weekend of October  | 2026-10-03 | 2026-10-04
the 5th of last month     | 2026-10-05
the first of the month    | 2026-11-01
last month on the 5th     | 2026-10-05
first to third of October | 2026-10-01 | 2026-10-03
10/1-10/15                | 2026-10-01 | 2026-10-15
the twenty first of May   | 2026-05-21
"""

DATES = """
2026-10-03                | 2026-10-03
2026/10/03                | 2026-10-03
2026.10.03                | 2026-10-03
20261003                  | 2026-10-03
2026-10                   | 2026-10-01 | 2026-10-31
3 Oct 2026                | 2026-10-03
5-Oct-2026                | 2026-10-05
Oct 3rd                   | 2026-10-03
on the 3rd of October     | 2026-10-03
the fifth of October      | 2026-10-05
October 3, 2026           | 2026-10-03
October 3,2026            | 2026-10-03
Oct. 3, 2025              | 2025-10-03
Oct 3 last year           | 2025-10-03
Monday, 5 October         | 2026-10-05
December 5                | 2025-12-05
29 Feb                    | 2024-02-29
3.10.2026                 | 2026-10-03
3.10.                     | 2026-10-03
03.10.26                  | 2026-10-03
24.12.99                  | 1999-12-24
10/03/2026                | 2026-10-03
13/10/2026                | 2026-10-13
10/03/26                  | 2026-10-03
10/2026                   | 2026-10-01 | 2026-10-31
2/29/2024                 | 2024-02-29
the 5th                   | 2026-11-05
the 25th                  | 2026-10-25
the 31st                  | 2026-10-31
9999-12-31                | 9999-12-31
0001-01-01                | 0001-01-01
Tuesday                   | 2026-11-17
on Saturday               | 2026-11-21
last Saturday             | 2026-11-14
last Friday               | 2026-11-20
Friday night              | 2026-11-20
Tuesday last week         | 2026-11-10
last week Tuesday         | 2026-11-10
this weekend              | 2026-11-21
last weekend              | 2026-11-14 | 2026-11-15
two weekends ago          | 2026-11-07 | 2026-11-08
the weekend before Christmas | 2025-12-20 | 2025-12-21
the week before Christmas | 2025-12-17 | 2025-12-23
the 3 days before Easter  | 2026-03-31 | 2026-04-02
the day after Thanksgiving| 2025-11-28
the month before October  | 2026-09-01 | 2026-09-30
"""

RANGES = """
since March               | 2026-03-01 | 2026-11-21
since the 5th             | 2026-11-05 | 2026-11-21
since last Christmas      | 2025-12-24 | 2026-11-21
since 2024                | 2024-01-01 | 2026-11-21
since the beginning of the year | 2026-01-01 | 2026-11-21
ever since October        | 2026-10-01 | 2026-11-21
from March onwards        | 2026-03-01 | 2026-11-21
until May                 | 0001-01-01 | 2026-05-31
through May               | 0001-01-01 | 2026-05-31
up to May                 | 0001-01-01 | 2026-05-31
until the end of May      | 0001-01-01 | 2026-05-31
until the beginning of May| 0001-01-01 | 2026-05-01
until December            | 0001-01-01 | 2025-12-31
before October            | 0001-01-01 | 2026-09-30
after October             | 2026-11-01 | 2026-11-21
after Easter              | 2026-04-07 | 2026-11-21
from March to May         | 2026-03-01 | 2026-05-31
between March and May     | 2026-03-01 | 2026-05-31
March - May               | 2026-03-01 | 2026-05-31
Mar–May                   | 2026-03-01 | 2026-05-31
March through May         | 2026-03-01 | 2026-05-31
March to May 2025         | 2025-03-01 | 2025-05-31
Nov to Feb 2025           | 2024-11-01 | 2025-02-28
November to February      | 2025-11-01 | 2026-02-28
October to December       | 2025-10-01 | 2025-12-31
October to November       | 2026-10-01 | 2026-11-21
from March 2025 to May    | 2025-03-01 | 2025-05-31
from November 2025 to March | 2025-11-01 | 2026-03-31
3 to 17 October           | 2026-10-03 | 2026-10-17
October 3 to 17           | 2026-10-03 | 2026-10-17
Oct 3-17, 2025            | 2025-10-03 | 2025-10-17
3rd to 17th of October 2025 | 2025-10-03 | 2025-10-17
28 December to 3 January  | 2025-12-28 | 2026-01-03
28 to 3 November          | 2026-10-28 | 2026-11-03
Jan 5 - Jan 20            | 2026-01-05 | 2026-01-20
Jan 5 to Jan 20, 2025     | 2025-01-05 | 2025-01-20
from the 3rd to the 17th  | 2026-11-03 | 2026-11-17
2026-10-01 to 2026-10-15  | 2026-10-01 | 2026-10-15
2026-10-01/2026-10-15     | 2026-10-01 | 2026-10-15
2026-10-01..2026-10-15    | 2026-10-01 | 2026-10-15
10/01/2026 - 10/15/2026   | 2026-10-01 | 2026-10-15
2026-11-01 to 2026-12-31  | 2026-11-01 | 2026-12-31
from January to now       | 2026-01-01 | 2026-11-21
between last Monday and yesterday | 2026-11-16 | 2026-11-20
from last Christmas to Easter | 2025-12-24 | 2026-04-06
Monday to Wednesday       | 2026-11-16 | 2026-11-18
Q1 to Q3                  | 2026-01-01 | 2026-09-30
all time                  | 0001-01-01 | 9999-12-31
all_time                  | 0001-01-01 | 9999-12-31
of all time               | 0001-01-01 | 9999-12-31
ever                      | 0001-01-01 | 9999-12-31
overall                   | 0001-01-01 | 9999-12-31
so far                    | 0001-01-01 | 9999-12-31
since the beginning       | 0001-01-01 | 9999-12-31
"""

NAMED = """
Christmas                 | 2025-12-24 | 2025-12-26
last Christmas            | 2025-12-24 | 2025-12-26
Christmas 2024            | 2024-12-24 | 2024-12-26
Christmas Eve             | 2025-12-24
Christmas Day             | 2025-12-25
Boxing Day                | 2025-12-26
New Year's Eve            | 2025-12-31
new years day             | 2026-01-01
Easter                    | 2026-04-03 | 2026-04-06
Easter 2024               | 2024-03-29 | 2024-04-01
Labor Day weekend         | 2026-09-05 | 2026-09-07
Thanksgiving weekend 2024 | 2024-11-28 | 2024-12-01
week of Thanksgiving      | 2025-11-24 | 2025-11-30
Good Friday               | 2026-04-03
Thanksgiving              | 2025-11-27
Black Friday              | 2025-11-28
Cyber Monday              | 2025-12-01
Halloween                 | 2026-10-31
Valentine’s Day           | 2026-02-14
Mother's Day              | 2026-05-10
Father's Day              | 2026-06-21
Labor Day                 | 2026-09-07
Memorial Day              | 2026-05-25
Independence Day          | 2026-07-04
4th of July               | 2026-07-04
July 4th 2025             | 2025-07-04
Weihnachten               | 2025-12-24 | 2025-12-26
Heiligabend letztes Jahr  | 2025-12-24
Silvester                 | 2025-12-31
Neujahr                   | 2026-01-01
Ostern 2025               | 2025-04-18 | 2025-04-21
Karfreitag                | 2026-04-03
Pfingsten                 | 2026-05-24 | 2026-05-25
Tag der Deutschen Einheit | 2026-10-03
"""

ANCHORLESS = """
the month before          | 2026-10-01 | 2026-10-31
the previous month        | 2026-10-01 | 2026-10-31
the week before           | 2026-11-09 | 2026-11-15
the day before that       | 2026-11-20
the year before           | 2025-01-01 | 2025-12-31
the three months before that | 2026-08-01 | 2026-10-31
two months earlier        | 2026-09-01 | 2026-09-30
a year earlier            | 2025-11-01 | 2025-11-21
same month last year      | 2025-11-01 | 2025-11-30
the same month in 2024    | 2024-11-01 | 2024-11-30
same quarter last year    | 2025-10-01 | 2025-12-31
same period last month    | 2026-10-01 | 2026-10-21
this time last year       | 2025-11-01 | 2025-11-21
"""

GERMAN = """
letzten Monat             | 2026-10-01 | 2026-10-31
im letzten Monat          | 2026-10-01 | 2026-10-31
vorigen Monat             | 2026-10-01 | 2026-10-31
vergangenen Monat         | 2026-10-01 | 2026-10-31
vorletzten Monat          | 2026-09-01 | 2026-09-30
diesen Monat              | 2026-11-01 | 2026-11-21
letzte Woche              | 2026-11-09 | 2026-11-15
diese Woche               | 2026-11-16 | 2026-11-21
letztes Jahr              | 2025-01-01 | 2025-12-31
dieses Jahr               | 2026-01-01 | 2026-11-21
im Oktober                | 2026-10-01 | 2026-10-31
im Oktober 2025           | 2025-10-01 | 2025-10-31
im Juni 26                | 2026-06-01 | 2026-06-30
okt 26                    | 2026-10-01 | 2026-10-31
in June 26                | 2026-06-01 | 2026-06-30
in June 26th              | 2026-06-26 | 2026-06-26
on June 26                | 2026-06-26 | 2026-06-26
im Oktober letzten Jahres | 2025-10-01 | 2025-10-31
letztes Jahr im Oktober   | 2025-10-01 | 2025-10-31
im Monat Oktober          | 2026-10-01 | 2026-10-31
im Jahr 2025              | 2025-01-01 | 2025-12-31
das ganze Jahr 2025       | 2025-01-01 | 2025-12-31
Jänner                    | 2026-01-01 | 2026-01-31
Maerz                     | 2026-03-01 | 2026-03-31
Mär                       | 2026-03-01 | 2026-03-31
Dez                       | 2025-12-01 | 2025-12-31
in den letzten 3 Monaten  | 2026-08-01 | 2026-10-31
letzte drei Monate        | 2026-08-01 | 2026-10-31
die vergangenen zwölf Monate | 2025-11-01 | 2026-10-31
die letzten 30 Tage       | 2026-10-23 | 2026-11-21
seit März                 | 2026-03-01 | 2026-11-21
ab März                   | 2026-03-01 | 2026-11-21
seit Jahresbeginn         | 2026-01-01 | 2026-11-21
seit Anfang letzten Jahres| 2025-01-01 | 2026-11-21
bis Ende Mai              | 0001-01-01 | 2026-05-31
bis gestern               | 0001-01-01 | 2026-11-20
vor Weihnachten           | 0001-01-01 | 2025-12-23
nach Ostern               | 2026-04-07 | 2026-11-21
zwischen dem 3. und 17. Oktober | 2026-10-03 | 2026-10-17
vom 3. bis zum 17. Oktober 2025 | 2025-10-03 | 2025-10-17
vom 1.10. bis 15.10.      | 2026-10-01 | 2026-10-15
vom 1.10. bis 15.10.2025  | 2025-10-01 | 2025-10-15
1.-15. Oktober            | 2026-10-01 | 2026-10-15
vom 28. Dezember bis zum 3. Januar | 2025-12-28 | 2026-01-03
von März bis Mai          | 2026-03-01 | 2026-05-31
Oktober 2024 bis März 2025| 2024-10-01 | 2025-03-31
erste Oktoberwoche        | 2026-10-01 | 2026-10-07
erste Woche im Oktober    | 2026-10-01 | 2026-10-07
letzte Woche im Oktober   | 2026-10-25 | 2026-10-31
zweite Oktoberhälfte      | 2026-10-16 | 2026-10-31
Anfang Oktober            | 2026-10-01 | 2026-10-10
Mitte Oktober             | 2026-10-11 | 2026-10-20
Ende Oktober              | 2026-10-21 | 2026-10-31
gestern                   | 2026-11-20
vorgestern                | 2026-11-19
heute                     | 2026-11-21
am 3. Oktober             | 2026-10-03
am 5.                     | 2026-11-05
am Freitag                | 2026-11-20
letzten Freitag           | 2026-11-20
am Wochenende             | 2026-11-21
letztes Wochenende        | 2026-11-14 | 2026-11-15
vor zwei Wochen           | 2026-11-02 | 2026-11-08
vor 3 Monaten             | 2026-08-01 | 2026-08-31
vor einem Jahr            | 2025-01-01 | 2025-12-31
3. Quartal                | 2026-07-01 | 2026-09-30
drittes Quartal 2025      | 2025-07-01 | 2025-09-30
letztes Quartal           | 2026-07-01 | 2026-09-30
1. Halbjahr 2025          | 2025-01-01 | 2025-06-30
KW 42                     | 2026-10-12 | 2026-10-18
in den letzten Wochen     | 2026-10-26 | 2026-11-15
heuer                     | 2026-01-01 | 2026-11-21
im letzten halben Jahr    | 2026-05-01 | 2026-10-31
vor einem halben Jahr     | 2026-05-01 | 2026-05-31
in den letzten anderthalb Jahren | 2025-05-01 | 2026-10-31
letztes Halbjahr          | 2026-01-01 | 2026-06-30
erste Jahreshälfte 2025   | 2025-01-01 | 2025-06-30
vom ersten bis zum fünfzehnten Oktober | 2026-10-01 | 2026-10-15
am einundzwanzigsten Oktober | 2026-10-21
am 3. letzten Monats      | 2026-10-03
in diesem Monat letzten Jahres | 2025-11-01 | 2025-11-30
jemals                    | 0001-01-01 | 9999-12-31
im Sommer                 | 2026-06-01 | 2026-08-31
im Vormonat               | 2026-10-01 | 2026-10-31
im Vorjahr                | 2025-01-01 | 2025-12-31
im Monat davor            | 2026-10-01 | 2026-10-31
ein Jahr zuvor            | 2025-11-01 | 2025-11-21
im selben Monat letztes Jahr | 2025-11-01 | 2025-11-30
gleicher Zeitraum letztes Jahr | 2025-11-01 | 2025-11-21
"""


@every(
    ("text", "start", "end"),
    table(RELATIVE)
    + table(CALENDAR)
    + table(PARTS)
    + table(DATES)
    + table(RANGES)
    + table(NAMED)
    + table(ANCHORLESS)
    + table(GERMAN),
)
def test_phrase(text: str, start: str, end: str) -> None:
    expected = (date.fromisoformat(start), date.fromisoformat(end))
    for said in (text, f"  {text.upper()}! "):
        period = parse_period(said, TODAY)
        assert (period.start, period.end) == expected
