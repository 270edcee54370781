"""A local server that speaks OpenAI's chat API, enforces its rules, and answers by script, well or badly.

The rules are those of https://platform.openai.com/docs/api-reference/chat/create as far as anything here could break them, and
one of many models' templates besides: after the system message, user and assistant take turns.
"""

from __future__ import annotations

import json
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self

NAME = "scripted-1b"
KEY = "sk-florbane-quibwick-712"
_NAMES = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_KEYS = {
    "model", "messages", "temperature", "seed", "max_completion_tokens", "stream", "response_format", "tools", "tool_choice",
}  # fmt: skip
_TOOL_KEYS = {"name", "description", "parameters", "strict"}


class _Wrong(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class OpenAIServer:
    """Answers each chat with the next of ``answers`` (the last one again when they run out).

    An answer is a text, a list of its pieces, a dict (``{"tool_calls": [...]}`` makes native calls), or one of the faults: a
    status, ``"cut"``, ``"slow"`` (until ``release``), ``"nonsense"``, ``"empty"``. ``honours`` are the forms of asking that it
    knows; the canaries are answered accordingly, and ``refuses`` says whether what it does not know is an error or ignored.
    """

    answers: list[Any] = field(default_factory=list)
    honours: tuple[Literal["grammar", "native"], ...] = ("grammar", "native")
    refuses: bool = True
    key: str = KEY
    models: tuple[str, ...] = (NAME,)
    requests: list[dict[str, Any]] = field(default_factory=list)
    broken_rules: list[str] = field(default_factory=list)
    release: threading.Event = field(default_factory=threading.Event)
    afterwards: Any = "{}"
    """What a slow answer is in the end."""
    running: int = 0
    most_running: int = 0

    def __enter__(self) -> Self:
        server = self
        self._lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._guarded(lambda: server._list(self))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self._guarded(lambda: server._chat(self, body))

            def _guarded(self, work: Any) -> None:
                try:
                    server._check_key(self)
                    work()
                except _Wrong as wrong:
                    if wrong.status == 400:
                        server.broken_rules.append(str(wrong))
                    error = {"message": str(wrong), "type": "invalid_request_error", "param": None, "code": None}
                    self.say(json.dumps({"error": error}), wrong.status)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def say(self, text: str, status: int = 200, kind: str = "application/json") -> None:
                data = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
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
        self.release.set()
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        """The base of its API."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def chats(self) -> list[dict[str, Any]]:
        """The requests that kept to the rules, the canaries' left out."""
        return [body for body in self.requests if not _is_canary(body)]

    def _check_key(self, handler: Any) -> None:
        if self.key and handler.headers.get("Authorization") != f"Bearer {self.key}":
            raise _Wrong(401, "Incorrect API key provided.")
        others = [name for name in ("OpenAI-Organization", "OpenAI-Project") if name in handler.headers]
        if others:
            raise _Wrong(400, f"headers of another account: {others}")

    def _list(self, handler: Any) -> None:
        if handler.path != "/v1/models":
            raise _Wrong(404, f"Invalid URL {handler.path}")
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in self.models]
        handler.say(json.dumps({"object": "list", "data": data}))

    def _chat(self, handler: Any, raw: bytes) -> None:
        if handler.path != "/v1/chat/completions":
            raise _Wrong(404, f"Invalid URL {handler.path}")
        body = json.loads(raw)
        _check(body, self.models)
        self._check_forms(body)
        with self._lock:
            self.requests.append(body)
            self.running += 1
            self.most_running = max(self.most_running, self.running)
        try:
            self._answer(handler, body)
        finally:
            with self._lock:
                self.running -= 1

    def _check_forms(self, body: dict[str, Any]) -> None:
        asked = {"grammar": "response_format" in body, "native": "tools" in body}
        unknown = [form for form, is_asked in asked.items() if is_asked and form not in self.honours]
        if unknown and self.refuses:
            raise _Wrong(422, f"{unknown} is not supported")

    def _answer(self, handler: Any, body: dict[str, Any]) -> None:
        if _is_canary(body):
            return self._answer_canary(handler, body)
        with self._lock:
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, int):
            raise _Wrong(answer, "scripted")
        if answer == "slow":
            self.release.wait(60)
            answer = self.afterwards
        if answer == "nonsense":
            return handler.say("<html>this is no API</html>", kind="text/html")
        if answer == "cut":
            handler.send_response(200)
            handler.send_header("Content-Type", "text/event-stream" if body.get("stream") else "application/json")
            handler.send_header("Content-Length", "1000")
            handler.end_headers()
            handler.wfile.write(b'{"id": "x", "choices": [')
            handler.close_connection = True
            return handler.connection.close()
        if body.get("stream"):
            return _stream(handler, answer if isinstance(answer, list) else [answer])
        if isinstance(answer, dict) and "tool_calls" in answer:
            return handler.say(json.dumps(_completion("", answer["tool_calls"])))
        text = "" if answer == "empty" else answer if isinstance(answer, str) else json.dumps(answer)
        return handler.say(json.dumps(_completion(text)))

    def _answer_canary(self, handler: Any, body: dict[str, Any]) -> None:
        if "tools" in body:
            says = [{"name": "say", "arguments": {"word": "florbane"}}] if "native" in self.honours else []
            return handler.say(json.dumps(_completion("", says) if says else _completion("florbane")))
        return handler.say(json.dumps(_completion('{"word": "florbane"}' if "grammar" in self.honours else "any word")))


def _check(body: dict[str, Any], models: tuple[str, ...]) -> None:
    if unknown := body.keys() - _KEYS:
        raise _Wrong(400, f"Unrecognized request argument supplied: {sorted(unknown)}")
    if body.get("model") not in models:
        raise _Wrong(404, f"The model {body.get('model')} does not exist")
    if not 0 <= body.get("temperature", 1) <= 2 or not isinstance(body.get("seed", 0), int):
        raise _Wrong(400, "temperature or seed")
    if not 0 < body.get("max_completion_tokens", 1) < 10_000:
        raise _Wrong(400, "max_completion_tokens")
    _check_messages(body.get("messages"))
    if "response_format" in body:
        _check_format(body["response_format"])
    if "tool_choice" in body and not body.get("tools"):
        raise _Wrong(400, "tool_choice without tools")
    if "tools" in body:
        _check_tools(body["tools"])


def _check_messages(messages: Any) -> None:
    if not isinstance(messages, list) or not messages:
        raise _Wrong(400, "messages")
    for message in messages:
        if message["role"] not in ("system", "user", "assistant") or not isinstance(message["content"], str):
            raise _Wrong(400, f"a message of {message['role']}")
    roles = [message["role"] for message in messages]
    spoken = roles[1:] if roles[0] == "system" else roles
    if "system" in spoken or any(role != ("user", "assistant")[place % 2] for place, role in enumerate(spoken)):
        raise _Wrong(400, f"Conversation roles must alternate: {roles}")
    if spoken[-1] != "user":
        raise _Wrong(400, "the last message is not the user's")


def _check_format(wanted: dict[str, Any]) -> None:
    named = wanted.get("json_schema", {})
    if wanted.get("type") != "json_schema" or not _NAMES.fullmatch(named.get("name", "")):
        raise _Wrong(400, "response_format")
    if named.keys() - {"name", "schema", "strict", "description"} or named["schema"].get("type") != "object":
        raise _Wrong(400, "response_format.json_schema")
    schema = named["schema"]
    if named.get("strict") and (
        schema.get("additionalProperties") is not False or len(schema["required"]) != len(schema["properties"])
    ):
        raise _Wrong(400, "a strict schema leaves nothing out")


def _check_tools(tools: Any) -> None:
    if not isinstance(tools, list) or not 0 < len(tools) <= 128:
        raise _Wrong(400, "tools")
    for tool in tools:
        function = tool.get("function", {})
        if tool.get("type") != "function" or not _NAMES.fullmatch(function.get("name", "")):
            raise _Wrong(400, f"Invalid tools: {function.get('name')}")
        if function.keys() - _TOOL_KEYS or function.get("parameters", {"type": "object"}).get("type") != "object":
            raise _Wrong(400, f"Invalid schema for function {function['name']}")


def _completion(text: str, calls: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["content"] = None
        message["tool_calls"] = [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])},
            }
            for number, call in enumerate(calls)
        ]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": NAME,
        "choices": [
            {"index": 0, "message": message, "logprobs": None, "finish_reason": "tool_calls" if calls else "stop"}
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def _stream(handler: Any, pieces: list[str]) -> None:
    base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": NAME}
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in pieces)]
    chunks = [{**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    chunks.append({**base, "choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}})
    lines = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    handler.say(lines, kind="text/event-stream")


def _is_canary(body: dict[str, Any]) -> bool:
    return body["messages"] == [{"role": "user", "content": "Say any word, as JSON."}]
