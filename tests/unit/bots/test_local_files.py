"""Files that a person names: plain ones are read, pipes and devices are not waited for, and folders are looked through."""

from __future__ import annotations

import os
import socket
import zipfile

import pytest

from bots.local_files import Folder, listed, look_into, not_picked, read_files, read_picks

CSV = b"Date,Description,Amount (USD)\n2026-10-01,RENT,-900.00\n"
QIF = b"!Type:Bank\nD2026-10-01\nT-1.00\nPShop\n^\n"


@pytest.fixture
def downloads(tmp_path):
    folder = tmp_path / "Downloads"
    (folder / "more").mkdir(parents=True)
    files = {
        "bank.csv": CSV, "old.qif": QIF, "list.csv": b"name,age\nAnn,3\n", "notes.txt": b"Dear Ann\n", ".bank.csv": CSV,
        "photo.png": b"\x89PNG\r\n\x1a\n", "letter.doc": CSV, "unclear.csv": b"Date,Amount (CAD)\n03/04/2026,-1\n", "empty.csv": b"",
    }  # fmt: skip
    for age, (name, data) in enumerate(files.items()):
        (folder / name).write_bytes(data)
        os.utime(folder / name, (1_000_000 - age, 1_000_000 - age))
    with zipfile.ZipFile(folder / "export.zip", "w") as archive:
        archive.writestr("bank.csv", CSV)
    with zipfile.ZipFile(folder / "photos.zip", "w") as archive:
        archive.writestr("a.png", b"\x89PNG\r\n\x1a\n")
    (folder / "more" / "deeper.csv").write_bytes(CSV)
    os.mkfifo(folder / "pipe.csv")
    return folder


def test_what_is_no_plain_file_is_told_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        paths = [
            str(tmp_path / "pipe"),
            str(tmp_path / "socket"),
            "/dev/zero",
            str(tmp_path),
            str(tmp_path / "none"),
            "a\0b",
        ]
        found = read_files(paths)
    assert [(file.title, file.problem) for file in found] == [
        (paths[0], "This is a pipe or device, not a file."),
        (paths[1], "This is a pipe or device, not a file."),
        (paths[2], "This is a pipe or device, not a file."),
        (paths[3], "This is a folder, not a file."),
        (paths[4], "There is no such file."),
        (paths[5], "There is no such file."),
    ]


def test_a_link_to_a_file_is_followed(tmp_path):
    (tmp_path / "bank.csv").write_bytes(CSV)
    (tmp_path / "link").symlink_to(tmp_path / "bank.csv")
    assert read_files([str(tmp_path / "link")])[0].data == CSV


def test_a_folder_is_looked_through_for_statements(downloads):
    folder = look_into(str(downloads))
    names = {path.removeprefix(f"{downloads}/") for path in folder.statements}
    assert names == {"bank.csv", "old.qif", "unclear.csv", "export.zip"}
    assert folder.statements.index(f"{downloads}/bank.csv") < folder.statements.index(f"{downloads}/old.qif")
    assert folder.others == 6


def test_a_folder_that_is_not_there_holds_nothing(tmp_path):
    assert look_into(str(tmp_path / "none")) == Folder(str(tmp_path / "none"), (), 0)
    assert not_picked(look_into(str(tmp_path))) == "This is a folder, and no file in it looks like a statement."


FOLDER = Folder("~/Downloads", ("~/Downloads/a.csv", "~/Downloads/b.qif"), 3)


@pytest.mark.parametrize(
    ("answer", "picked"),
    [("all", FOLDER.statements), ("Alle.", FOLDER.statements), ("2", ("~/Downloads/b.qif",)),
     ("2, 1", ("~/Downloads/b.qif", "~/Downloads/a.csv")), ("1 and 2", FOLDER.statements), ("1 1", ("~/Downloads/a.csv",)),
     ("3", None), ("0", None), ("", None), ("yes", None), ("٢", None), ("9" * 5000, None)],
)  # fmt: skip
def test_an_answer_picks_by_number(answer, picked):
    assert read_picks(answer, FOLDER) == picked


def test_what_was_found_is_shown_with_what_was_left_aside():
    assert listed(FOLDER) == [
        "~/Downloads is a folder. These files in it look like statements, the newest first; 3 other files were left aside:",
        "  1  a.csv",
        "  2  b.qif",
        "Say the numbers of those that you mean, or “all”.",
    ]
    assert not_picked(FOLDER) == (
        "This is a folder; 2 files in it look like statements: a.csv, b.qif. Name those that you mean."
    )
