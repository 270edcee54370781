"""ZIP archives: what is in them, what is passed over, and what no archive may do."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import archives
from ledger.archives import unpacked
from ledger.importers import MOST_BYTES
from ledger.statement_accounts import name_from
from ledger.statement_writer import SourceFile

CSV = b"Date,Description,Amount (USD)\n2026-10-01,RENT,-900.00\n"


def packed(*files: tuple[str, bytes], method=zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return out.getvalue()


def members(data: bytes) -> list[tuple[str, bytes, str]]:
    return [(file.title, file.data, file.problem) for file in unpacked(SourceFile("export.zip", data))]


def problem(data: bytes) -> str:
    (file,) = unpacked(SourceFile("export.zip", data))
    assert (file.title, file.data) == ("export.zip", b"")
    return file.problem


def test_each_file_is_one_of_its_own_in_the_order_of_the_archive():
    data = packed(("january.csv", CSV), ("2026/february.qif", b"!Type:Bank\n"), ("2026/", b""))
    assert members(data) == [
        ("export.zip: january.csv", CSV, ""),
        ("export.zip: 2026/february.qif", b"!Type:Bank\n", ""),
    ]


def test_the_account_is_called_after_the_file_and_not_the_archive():
    (file,) = unpacked(SourceFile("export.zip", packed(("2026/barclays.csv", CSV))))
    assert name_from(file.name) == "Barclays"


def test_hidden_files_and_those_of_systems_are_passed_over():
    data = packed(("__MACOSX/._a.csv", b"x"), (".DS_Store", b"x"), ("a/.hidden/b.csv", b"x"), ("a.csv", CSV))
    assert members(data) == [("export.zip: a.csv", CSV, "")]


def test_names_are_shown_as_they_were_meant_and_on_one_line():
    umlaut = "Umsätze.csv".encode().decode("cp437")
    data = packed(("a.csv", CSV)).replace(b"a.csv", b"\x1b\n.cs")
    assert members(data)[0][0].isprintable()
    info = zipfile.ZipInfo(umlaut)
    info.flag_bits = 0
    assert archives._name(info) == "Umsätze.csv"
    assert archives._name(zipfile.ZipInfo("..\\..\\bank.csv")) == "../../bank.csv"


@pytest.mark.parametrize("data", [CSV, b"", b"PK", b"%PDF-1.7"])
def test_what_is_no_archive_stays_itself(data):
    source = SourceFile("a.csv", data)
    assert unpacked(source) == [source]


@pytest.mark.parametrize("inside", ["[Content_Types].xml", "mimetype", "Index/Document.iwa"])
def test_documents_of_office_programs_stay_themselves(inside):
    source = SourceFile("a.xlsx", packed((inside, b"x"), ("xl/workbook.xml", b"x")))
    assert unpacked(source) == [source]


def test_a_file_with_a_problem_stays_itself():
    source = SourceFile("a.zip", b"", "There is no such file.")
    assert unpacked(source) == [source]


def test_a_locked_archive_is_one_sentence():
    data = bytearray(packed(("a.csv", CSV), ("b.csv", CSV)))
    for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        place = data.find(mark)
        while place >= 0:
            data[place + at] |= 1
            place = data.find(mark, place + 1)
    assert problem(bytes(data)) == "This is a ZIP archive with a password: unpack it and import the files in it."


@pytest.mark.parametrize("cut", [4, 30, 60, -10])
def test_a_damaged_archive_is_one_sentence(cut):
    assert problem(packed(("a.csv", CSV))[:cut]) == "This is a ZIP archive that is damaged; download it again."


def test_an_archive_of_nothing():
    assert problem(packed()) == problem(packed(("a/", b""))) == "This is a ZIP archive without a file in it."


def test_an_archive_in_an_archive_is_refused_and_the_others_go_on():
    assert members(packed(("empty.zip", packed())))[0][2].startswith("This is a ZIP archive inside another")
    assert members(packed(("in.zip", packed(("a.csv", CSV))), ("b.csv", CSV))) == [
        ("export.zip: in.zip", b"", "This is a ZIP archive inside another: unpack it and import the files in it."),
        ("export.zip: b.csv", CSV, ""),
    ]


def test_a_damaged_file_is_refused_and_the_others_go_on():
    data = packed(("a.csv", CSV), ("b.csv", CSV + b"2026-10-02,BUS,-1.00\n"), method=zipfile.ZIP_STORED)
    (first, second) = members(data.replace(b"RENT", b"TENT", 1))
    assert first == ("export.zip: a.csv", b"", "This file is damaged in the archive; download it again.")
    assert second[1].endswith(b"BUS,-1.00\n")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_without_a_bound_are_not_used(method):
    assert members(packed(("a.csv", CSV), method=method)) == [
        (
            "export.zip: a.csv",
            b"",
            "This file is packed in a way that I don't open: unpack the archive and import the file.",
        )
    ]


TOO_LARGE = "This is a ZIP archive of more than 64 MB, or packed to burst, too much for statements."
TOO_MANY = "This is a ZIP archive of more than 100 files; send the statements in it by themselves."


def test_a_bomb_bursts_nothing(monkeypatch):
    assert problem(packed(("a.csv", bytes(8 * 1024 * 1024)))) == TOO_LARGE  # to a thousandth
    long = CSV * 200
    monkeypatch.setattr(archives, "MOST_BYTES", 3 * len(long))
    three = [(f"{number}.csv", long) for number in range(3)]
    assert len(members(packed(*three))) == 3
    assert problem(packed(*three, ("4.csv", b"x"))) == TOO_LARGE


def test_a_size_in_the_header_is_not_believed(monkeypatch):
    """A header that says less than there is ends the reading there, and the checksum tells."""
    data = bytearray(packed(("a.csv", CSV)))
    place = data.find(b"PK\x01\x02")
    data[place + 24 : place + 28] = struct.pack("<I", 10)
    assert members(bytes(data))[0][2] == "This file is damaged in the archive; download it again."
    monkeypatch.setattr(archives, "MOST_BYTES", 1000)
    data[place + 24 : place + 28] = struct.pack("<I", 2**31)
    assert members(bytes(data))[0][1:] in {(CSV, ""), (b"", "This file is damaged in the archive; download it again.")}


def test_too_many_files():
    files = [(f"{number}.csv", CSV) for number in range(101)]
    assert len(members(packed(*files[:100]))) == 100
    assert problem(packed(*files)) == TOO_MANY
    assert problem(packed(("a.csv", CSV)) + b"PK\x01\x02" * 1000) == TOO_MANY


def test_a_file_that_is_too_large_to_look_into_stays_itself():
    source = SourceFile("a.zip", b"PK\x03\x04" + bytes(MOST_BYTES))
    assert unpacked(source) == [source]


@given(st.binary(max_size=300), st.integers(0, 400), st.integers(0, 255))
@settings(deadline=None, max_examples=200)
def test_no_bytes_are_too_much(noise, place, byte):
    data = bytearray(packed(("a.csv", CSV), ("b/c.csv", noise)))
    data[place % len(data)] = byte
    for file in unpacked(SourceFile("export.zip", bytes(data))):
        assert bool(file.problem) <= (file.data == b"")
        assert file.title.isprintable()
