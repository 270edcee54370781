"""A local server that speaks Ollama's chat API and answers by script, well or badly."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

MODEL = "scripted:1b"


@dataclass
class OllamaServer:
    """Answers each chat with the next of ``answers`` (the last one again when they run out).

    An answer is a text, a list of its pieces, a dict (``{"tool_calls": [...]}`` makes native calls), or one of the faults: ``status`` with a
    number, ``"cut"``, ``"slow"``, ``"nonsense"`` (no JSON on the wire), ``"empty"``. The grammar canary is answered
    by itself, as ``grammar`` says. Every request's body is kept.
    """

    answers: list[Any] = field(default_factory=list)
    grammar: bool = True
    models: tuple[str, ...] = (MODEL,)
    requests: list[dict[str, Any]] = field(default_factory=list)
    slow_seconds: float = 5.0

    def __enter__(self) -> Self:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                models = [{"name": name, "model": name} for name in server.models]
                self._send(json.dumps({"models": models} if self.path == "/api/tags" else {"version": "0.12.0"}))

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server._answer(self, body)

            def _send(self, text: str, status: int = 200) -> None:
                data = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/x-ndjson")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_arguments: object) -> None:
                """Say nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.block_on_close = False
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _tb: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def chats(self) -> list[dict[str, Any]]:
        """The requests, the canary's left out."""
        return [body for body in self.requests if not _is_canary(body)]

    def _answer(self, handler: Any, body: dict[str, Any]) -> None:
        self.requests.append(body)
        if _is_canary(body):
            word = body["format"]["properties"]["word"]["enum"][0]
            return self._say(handler, json.dumps({"word": word}) if self.grammar else "any word")
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, int):
            return handler._send(json.dumps({"error": "scripted"}), answer)
        if answer == "slow":
            time.sleep(self.slow_seconds)
            return self._say(handler, "{}")
        if answer == "nonsense":
            return handler._send("<html>this is not ollama</html>")
        if answer == "cut":
            handler.send_response(200)
            handler.send_header("Transfer-Encoding", "chunked")
            handler.end_headers()
            line = json.dumps({"model": MODEL, "message": {"role": "assistant", "content": '{"tool"'}, "done": False})
            handler.wfile.write(f"{len(line) + 1:x}\r\n{line}\n\r\n".encode())
            handler.wfile.flush()
            handler.close_connection = True
            return handler.connection.close()
        if isinstance(answer, dict) and "tool_calls" in answer:
            return self._say(handler, "", answer["tool_calls"])
        if isinstance(answer, list):
            lines = [{"message": {"role": "assistant", "content": piece}, "done": False} for piece in answer]
            return self._say(handler, "", before=lines)
        text = "" if answer == "empty" else answer if isinstance(answer, str) else json.dumps(answer)
        return self._say(handler, text)

    def _say(
        self,
        handler: Any,
        text: str,
        calls: list[dict[str, Any]] | None = None,
        before: list[dict[str, Any]] | None = None,
    ) -> None:
        pieces = "".join(json.dumps({"model": MODEL, **line}) + "\n" for line in before or [])
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [{"function": call} for call in calls]
        handler._send(
            pieces
            + json.dumps(
                {
                    "model": MODEL,
                    "created_at": "2026-11-21T00:00:00Z",
                    "message": message,
                    "done": True,
                    "done_reason": "stop",
                    "prompt_eval_count": 11,
                    "eval_count": 7,
                }
            )
            + "\n"
        )


def _is_canary(body: dict[str, Any]) -> bool:
    schema = body.get("format")
    return isinstance(schema, dict) and "word" in schema.get("properties", {})
