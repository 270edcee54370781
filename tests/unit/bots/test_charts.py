"""Charts as pictures: what is written in them, and that nothing in a label can spoil one."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from decimal import Decimal
from importlib.resources import files
from pathlib import Path

import pytest
from babel.numbers import list_currencies
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageColor, ImageFont

from bots.charts import alt_text, draw, lay_out
from bots.sheet import DOT, INK, PAPER, Box, Fill, Line, Text, can_show, width_of
from ledger.money import Money
from tools.results import Chart
from tools.wording import money, month_name, tick

LEVEL, OUT, IN, WHITE = "#6CB2EB", "#F0985A", "#4CC9A0", "#FFFFFF"
amounts = st.decimals(-(10**12), 10**12, places=2)
MONTHS = tuple(month_name(f"{2024 + at // 12}-{at % 12 + 1:02}", "en_US") for at in range(36))


def of(*values, labels=None, title="Spending", currency="USD", kind="bar", ticks=()) -> Chart:
    labels = labels or tuple(f"Shop {at}" for at in range(len(values)))
    return Chart(title, tuple(labels), tuple(Decimal(value) for value in values), currency, kind, ticks)


def months(count, language="en"):
    """The labels and ticks of so many months."""
    ticks = tuple(tick(date(2024 + at // 12, at % 12 + 1, 1), "month", language) for at in range(count))
    return {"labels": MONTHS[:count], "ticks": ticks}


def days(count):
    return {
        "labels": [f"{day} Oct 2026" for day in range(1, count + 1)],
        "ticks": tuple(tick(date(2026, 10, day), "day", "en") for day in range(1, count + 1)),
    }


def years(start, count):
    names = tuple(str(start + at) for at in range(count))
    return {"labels": names, "ticks": tuple((name, "") for name in names)}


def picture(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def writing(chart: Chart, locale: str = "en_US") -> list[Text]:
    return [mark for mark in lay_out(chart, locale).marks if isinstance(mark, Text)]


def texts(chart: Chart, locale: str = "en_US") -> list[str]:
    return [text.words for text in writing(chart, locale)]


def font_of(text: Text) -> ImageFont.FreeTypeFont:
    """Return a text's font in the size that the file has it in."""
    path = files("font_source_sans_pro") / "files" / f"{text.type.face}.ttf"
    return ImageFont.truetype(str(path), 3 * text.type.size, layout_engine=ImageFont.Layout.BASIC)


def box_of(text: Text, least: str = "lp") -> Box:
    """Return where a text stands, as high as these letters at least."""
    font = font_of(text)
    (left, top, right, bottom), (_, high, _, low) = (font.getbbox(words, anchor="ls") for words in (text.words, least))
    return Box(
        text.left + left / 3,
        text.left + right / 3,
        text.baseline + min(top, high) / 3,
        text.baseline + max(bottom, low) / 3,
    )


def fills(chart: Chart) -> list[Fill]:
    return [mark for mark in lay_out(chart).marks if isinstance(mark, Fill)]


def bars(chart: Chart) -> list[Fill]:
    """Return what stands for a value."""
    return [fill for fill in fills(chart) if fill.color in {LEVEL, OUT, IN}]


def width(fill: Fill) -> float:
    return fill.box.right - fill.box.left


@pytest.mark.parametrize(
    "chart",
    [of(1), of(5, 3, 2), of(*range(100)), of(*range(1, 37), **months(36)), of(1, -2, 3, kind="line")],
)
def test_a_picture_is_an_opaque_png_three_times_as_wide_as_a_phone_and_not_much_taller(chart):
    image = picture(draw(chart))
    assert image.format == "PNG"
    assert image.width == 1080
    assert 180 <= image.height <= 1440
    rgba = image.convert("RGBA")
    assert rgba.getchannel("A").getextrema() == (255, 255)
    corners = [(0, 0), (1079, 0), (0, image.height - 1), (1079, image.height - 1)]
    assert {rgba.getpixel(corner) for corner in corners} == {(*ImageColor.getrgb(PAPER), 255)}
    assert len(set(rgba.convert("RGB").get_flattened_data())) > 10


def test_a_picture_holds_nothing_but_the_picture_and_is_the_same_each_time():
    chart = of(5, -3, "2.25")
    first = draw(chart)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(draw, [chart] * 8)) == {first}
    assert not {"Software", "Creation Time", "date"} & set(picture(first).info)


def pixels(box: Box, margin: int = 0) -> tuple[int, int, int, int]:
    """Return a box of the page in the file's pixels, with so many more on every side."""
    left, top = round(3 * box.left) - margin, round(3 * box.top) - margin
    return left, top, round(3 * box.right) + margin, round(3 * box.bottom) + margin


def colors(image: Image.Image, box: Box) -> set[str]:
    """Return the colours of what lies well within a box of the page."""
    return {"#{:02X}{:02X}{:02X}".format(*color) for color in image.crop(pixels(box, -1)).get_flattened_data()}


@pytest.mark.parametrize("labels", [{}, months(3)])
def test_bars_are_painted_where_they_are_laid_out_and_those_below_nothing_have_stripes(labels):
    chart = of(100, 25, -50, **labels)
    image = picture(draw(chart))
    more, less, negative = (colors(image, bar.box) - {INK} for bar in bars(chart))
    assert more == less == {LEVEL}
    assert negative > {OUT, PAPER}


def test_a_line_is_painted_from_point_to_point_over_the_grid_with_smooth_edges():
    chart = of(1, 5, 3, **months(3), kind="line")
    image = picture(draw(chart))
    (line,) = (mark for mark in lay_out(chart).marks if isinstance(mark, Line))
    (x, y), (u, v), _ = line.points
    for part in (0, 0.3, 0.5, 0.7, 1):
        place = round(3 * (x + part * (u - x))), round(3 * (y + part * (v - y)))
        assert image.getpixel(place) == ImageColor.getrgb(LEVEL)
    assert len(colors(image, Box(x, u, v, y))) > 5


def test_no_amount_runs_into_a_point_of_its_line():
    chart = of(*(at * 37 % 113 for at in range(31)), **days(31), kind="line")
    (line,) = (mark for mark in lay_out(chart).marks if isinstance(mark, Line))
    for box in (box_of(text, least="x") for text in writing(chart)):
        assert not [(x, y) for x, y in line.points if box.meets(Box(x - DOT, x + DOT, y - DOT, y + DOT))]


def test_texts_are_painted_where_they_are_laid_out_and_nothing_is_painted_elsewhere():
    chart = of("1234.56", -2, title="Highest")
    image = picture(draw(chart))
    for box in map(box_of, writing(chart)):
        assert len(colors(image, box)) > 10
        image.paste(PAPER, pixels(box, 2))
    for fill in fills(chart):
        image.paste(PAPER, pixels(fill.box))
    assert image.getcolors() == [(image.width * image.height, ImageColor.getrgb(PAPER))]


@pytest.mark.parametrize(
    "chart",
    [
        Chart("Nothing", (), ()),
        Chart("Uneven", ("a", "b"), (Decimal(1),)),
        Chart("No number", ("a",), (Decimal("NaN"),)),
        Chart("No end", ("a",), (Decimal("Infinity"),)),
    ],
)
def test_what_is_no_chart_is_refused(chart):
    for show in (draw, alt_text):
        with pytest.raises(ValueError, match="chart"):
            show(chart)


@pytest.mark.parametrize("locale", ["en_US", "de_DE", "fr_FR", "sv_SE", "en_IN", "no_SUCH"])
@pytest.mark.parametrize("currency", ["USD", "EUR", "KWD", "CLP"])
def test_names_stand_with_their_exact_amounts(locale, currency):
    minor = (9223372036854775807, 123456, 1, 0, -98765)
    chart = of(*(Money(value, currency).amount for value in minor), currency=currency)
    written = texts(chart, locale)
    for at, value in enumerate(minor):
        place = written.index(f"Shop {at}")
        assert written[place + 1] == money(Money(value, currency), locale)


@pytest.mark.parametrize(
    ("locale", "currency", "shown"),
    [("ar_EG", "USD", "$1,234.50"), ("he_IL", "ILS", "ILS1,234.50"), ("ja_JP", "JPY", "¥1,234")],
)
def test_an_amount_is_never_shown_in_part_or_turned_round(locale, currency, shown):
    assert shown in texts(of("1234.50", 1, currency=currency), locale)


@pytest.mark.parametrize("locale", ["en_US", "he_IL", "ar_EG", "fa_IR"])
def test_amounts_and_axes_of_every_currency_are_in_signs_that_the_font_has(locale):
    for currency in list_currencies("en_US"):
        for text in texts(of("-1234", "5678", "0.5", currency=currency, kind="line"), locale):
            assert can_show(text)


def test_plain_numbers_have_no_currency():
    assert "1,234.567" in texts(of("1234.567", 2, currency=None))


@given(st.lists(amounts, min_size=13, max_size=100))
@settings(max_examples=15, deadline=None)
def test_of_many_names_the_largest_stand_and_the_rest_keep_the_total(values):
    chart = of(*values)
    written = texts(chart)
    named = [at for at in range(len(values)) if f"Shop {at}" in written]
    rest = [value for at, value in enumerate(values) if at not in named]
    assert len(named) == 11
    assert min(abs(values[at]) for at in named) >= max(abs(value) for value in rest)
    assert written[written.index(f"{len(rest)} others") + 1] == money(Money(int(sum(rest) * 100), "USD"), "en_US")


def test_a_bar_is_as_long_as_its_share_and_points_out_what_is_negative():
    chart = of(100, 25, -50, "0.01", 0)
    shown = bars(chart)
    full = max(map(width, fills(chart)))
    assert [round(width(bar) / full * 150) for bar in shown[:3]] == [100, 25, 50]
    assert shown[2].box.right == pytest.approx(shown[0].box.left)
    assert [bar.striped for bar in shown] == [False, False, True, False, False]
    assert width(shown[3]) >= 2
    assert width(shown[4]) == 0


def test_months_in_their_order_stand_side_by_side_with_every_amount_where_all_fit():
    columns = [bar.box for bar in bars(of(10, 20, -5, **months(3)))]
    heights = [column.bottom - column.top for column in columns]
    assert [round(height / heights[0], 3) for height in heights] == [1, 2, 0.5]
    assert columns[0].left < columns[1].left < columns[2].left
    written = texts(of(10, 20, -5, **months(3)))
    assert {"$10.00", "$20.00", "-$5.00", "Jan", "Feb", "Mar", "2024"} <= set(written)


@pytest.mark.parametrize(("flow", "more", "less"), [("out", OUT, IN), ("in", IN, OUT), ("", LEVEL, OUT)])
def test_a_colour_says_which_way_money_went(flow, more, less):
    assert [bar.color for bar in bars(replace(of(10, -5), flow=flow))] == [more, less]


@pytest.mark.parametrize("count", [3, 12])
def test_a_time_that_is_not_over_has_a_hollow_bar_and_is_neither_high_nor_low(count):
    chart = replace(of(*range(count + 5, 5, -1), **months(count)), unfinished=True)
    hollow = [fill for fill in fills(chart) if fill.color == PAPER]
    (bar,) = [bar for bar in bars(chart) if all(bar.box.meets(each.box) for each in hollow)]
    assert (len(hollow), bar in (bars(chart)[0], bars(chart)[-1])) == (1, True)
    assert f"the lowest {MONTHS[count - 2]} with $7.00" in alt_text(chart)


def test_months_whose_amounts_find_no_room_are_rows_the_newest_first():
    written = texts(replace(of(*range(3001, 3013), **months(12)), unfinished=True))
    assert written[1:5] == ["December 2024 so far", "$3,012.00", "November 2024", "$3,011.00"]


def test_months_are_named_in_the_language_of_the_answer():
    written = texts(of(10, 20, -5, **months(3, "de")))
    assert {"Jan", "Feb", "Mär", "2024"} <= set(written)


def test_months_by_rank_are_names():
    assert {"March 2024", "January 2024"} <= set(texts(of(10, 5, labels=(MONTHS[2], MONTHS[0]))))


@pytest.mark.parametrize("labels", [months(36), days(31), years(1990, 30)])
@pytest.mark.parametrize("kind", ["bar", "line"])
def test_a_long_series_says_its_ends_and_peaks_exactly(labels, kind):
    values = [Decimal(at * 7919 % 1009) + Decimal("0.37") for at in range(len(labels["labels"]))]
    values[4] = Decimal("-512.25")
    written = " ".join(texts(of(*values, **labels, kind=kind)))
    for value in (max(values), min(values), values[0], values[-1]):
        assert money(Money(int(value * 100), "USD"), "en_US") in written


def test_a_series_too_dense_for_columns_is_a_line():
    assert not bars(of(*range(200), **years(1800, 200)))
    assert len(bars(of(*range(1, 37), **months(36)))) == 36


def test_thinned_months_keep_their_order_their_years_and_their_januaries():
    written = texts(of(*range(1, 37), **months(36)))
    assert [year for year in written if year in {"2024", "2025", "2026"}] == ["2024", "2025", "2026"]
    assert written.count("Jan") == 3


AWKWARD = [
    of(*range(1, 101)),
    of("92233720368547758.07", "-92233720368547758.07", "0.01"),
    of(0, 0, 0),
    of(-1, -2, labels=("W" * 300, "i" * 300), title="Wide words " * 20),
    of(1, 2, title="W" * 300),
    of(*range(-12, 24), **months(36)),
    of(*range(-12, 24), **months(36), kind="line", currency="KWD"),
    of(*(["10000000000000"] * 12), **months(12), currency="IDR"),
    of(*range(0, 500, 5), labels=[f"{at} long label of its own" for at in range(100)], kind="line"),
    of(*(0,) * 12, **months(12)),
    of(1, kind="line", labels=("W" * 200,)),
]


@pytest.mark.parametrize("chart", AWKWARD)
@pytest.mark.parametrize("locale", ["en_US", "de_DE"])
def test_nothing_written_is_cut_off_or_overlaps(chart, locale):
    height = picture(draw(chart, locale)).height / 3
    boxes = [box_of(text) for text in writing(chart, locale)]
    for at, box in enumerate(boxes):
        assert box.left >= 0
        assert box.right <= 360
        assert box.top >= 0
        assert box.bottom <= height
        for other in boxes[at + 1 :]:
            across = min(box.right, other.right) - max(box.left, other.left)
            down = min(box.bottom, other.bottom) - max(box.top, other.top)
            assert across <= 1 / 3 or down <= 1 / 3


@pytest.mark.parametrize("chart", AWKWARD)
def test_type_is_large_enough_for_a_phone(chart):
    for text in writing(chart):
        _, top, _, bottom = font_of(text).getbbox("x", anchor="ls")
        assert (bottom - top) / 3 >= 6


def test_figures_are_of_one_width():
    for type_ in {text.type for chart in AWKWARD for text in writing(chart)}:
        assert len({width_of(digit, type_) for digit in "0123456789"}) == 1


HOSTILE = "$x_1^2$ \\frac{a}{b} $\n\r\t\x00\x1b[2J\u202eabc\u200f 🍕 東京 \ud800 \ufdfd e\u0301\u0301\u0301"


@given(
    st.text(max_size=150), st.lists(st.text(max_size=150), min_size=1, max_size=14), st.sampled_from(["bar", "line"])
)
@example(HOSTILE, [HOSTILE, "", "$", "$$", "\\", "🍕", "_^{}", "\u0301", "עברית", "مطعم", "क्षत्रिय"], "bar")
@example(HOSTILE, [HOSTILE, "", "$", "$$", "\\", "🍕", "_^{}", "\u0301", "עברית", "مطعم", "क्षत्रिय"], "line")
@settings(max_examples=25, deadline=None)
def test_no_text_can_spoil_a_picture(title, labels, kind):
    chart = of(*range(len(labels)), labels=labels, title=title, kind=kind)
    assert picture(draw(chart)).width == 1080
    said = alt_text(chart)
    assert len(said) <= 2000
    assert said.isprintable()
    said.encode()


def test_signs_of_markup_are_written_as_they_are():
    assert {"$x_1^2$", "\\frac{a}{b}", "a b"} <= set(
        texts(of(1, 2, labels=("\\frac{a}{b}", "a\n\x1b b"), title="$x_1^2$"))
    )


def test_a_letter_that_the_font_lacks_leaves_a_box_and_an_emoji_nothing():
    assert {"☐☐ Tokyo", "Pizza", "☐"} <= set(texts(of(1, 2, 3, labels=("東京 Tokyo", "🍕 Pizza", "🍔"))))


def test_a_sentence_says_the_chart():
    assert alt_text(of(5, "-1.50", 30)) == (
        "Spending: a bar chart of 3 bars, the highest Shop 2 with $30.00, the lowest Shop 1 with -$1.50."
        " Shop 0 $5.00, Shop 1 -$1.50, Shop 2 $30.00."
    )
    assert alt_text(of(5, title="")) == "Chart: a bar chart of 1 bar, Shop 0 with $5.00."
    assert alt_text(of(0, 0, kind="line"), "de_DE") == "Spending: a line of 2 points, all of them 0,00\xa0$."
    assert alt_text(of(*range(1, 21))) == (
        "Spending: a bar chart of 11 bars, the highest Shop 19 with $20.00, the lowest Shop 9 with $10.00,"
        " and 9 others with $45.00."
        f" {', '.join(f'Shop {at} ${at + 1}.00' for at in range(9, 20))}."
    )


def test_a_service_without_a_home_draws_and_reports_nothing(tmp_path):
    program = (
        "from decimal import Decimal; from bots.charts import draw; from tools.results import Chart;"
        "print(len(draw(Chart('t', ('a',), (Decimal(1),)))) > 0)"
    )
    unset = {"XDG_CONFIG_HOME", "XDG_CACHE_HOME"}
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**kept, "HOME": "/proc/none", "TMPDIR": str(tmp_path), "PYTHONPATH": str(Path.cwd())},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (run.stdout, run.stderr) == ("True\n", "")
    assert not list(tmp_path.iterdir())
