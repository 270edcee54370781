"""What the scenarios start their bots from: none of them outlives its test worker."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

_WORKER = """
import asyncio, pathlib, sys
from tests.support import nursery

async def work():
    directory, url = sys.argv[1:]
    settings = {"DATA_DIR": directory, "MODEL": "builtin", "SLACK__API_URL": url}
    settings |= {"SLACK__BOT_TOKEN": "xoxb-test", "SLACK__APP_TOKEN": "xapp-test"}
    bot = await nursery.start({f"MONEY_MINDER_{name}": each for name, each in settings.items()}, pathlib.Path(directory))
    print(bot.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(work())
"""


def _runs(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


def test_a_bot_ends_with_the_worker_that_started_it(tmp_path: Path) -> None:
    with socket.socket() as silent:  # so that the bot waits for an answer
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/api/"
        given, root = [str(tmp_path), url], Path(__file__).parents[3]
        with subprocess.Popen([sys.executable, "-c", _WORKER, *given], stdout=subprocess.PIPE, cwd=root) as worker:
            assert worker.stdout is not None
            bot = int(worker.stdout.readline())
            asked, _ = silent.accept()
            worker.kill()
        with asked:
            end = time.monotonic() + 5
            while _runs(bot) and time.monotonic() < end:
                time.sleep(0.01)
            outlived = _runs(bot)
    if outlived:
        os.kill(bot, signal.SIGKILL)
    assert not outlived
