"""A local collector of traces: takes OTLP over HTTP as protobuf, refuses what it is not, and keeps the spans."""

from __future__ import annotations

import gzip
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from google.protobuf.json_format import MessageToDict, MessageToJson
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass
class Collector:
    """Everything that was sent: the raw bodies, and the spans in them."""

    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    status: int = 200

    def __enter__(self) -> Self:
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                collector.headers.append(dict(self.headers))
                right = self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf"
                if right:
                    is_packed = self.headers.get("Content-Encoding") == "gzip"
                    collector.bodies.append(gzip.decompress(body) if is_packed else body)
                self.send_response(collector.status if right else 400)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_arguments: object) -> None:
                """Say nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _tb: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        """Where traces go."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1/traces"

    @property
    def requests(self) -> list[Any]:
        return [ExportTraceServiceRequest.FromString(body) for body in self.bodies]

    @property
    def spans(self) -> list[dict[str, Any]]:
        """Every span as a plain dictionary."""
        return [
            MessageToDict(span)
            for request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    @property
    def resources(self) -> list[dict[str, Any]]:
        return [MessageToDict(each.resource) for request in self.requests for each in request.resource_spans]

    @property
    def everything(self) -> str:
        """All that was sent, as text."""
        return "\n".join(MessageToJson(request) for request in self.requests)


def words_of(span: dict[str, Any]) -> dict[str, str]:
    """Return what a span says besides its name and times; a value that is no text is an error."""
    return {each["key"]: each["value"]["stringValue"] for each in span.get("attributes", [])}
