"""Sending spans to a collector by OpenTelemetry's protocol, OTLP over HTTP. This module needs the extra ``tracing``."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Status, StatusCode

from graph.tracing import switched_on

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span as OpenSpan
    from opentelemetry.trace import Tracer as OpenTracer

    from graph.tracing import Label, Part, Span

_NAME = "money-minder"
_PREFIX = "money_minder"
_EXPORT_SECONDS = 5.0


class _Span:
    def __init__(self, span: OpenSpan) -> None:
        self._span = span

    def note(self, label: Label, word: str) -> None:
        self._span.set_attribute(f"{_PREFIX}.{label}", word)
        if label == "error":
            self._span.set_status(Status(StatusCode.ERROR))


class _Tracer:
    def __init__(self, tracer: OpenTracer) -> None:
        self._tracer = tracer

    @contextmanager
    def span(self, part: Part) -> Iterator[Span]:
        with self._tracer.start_as_current_span(part, record_exception=False, set_status_on_exception=False) as span:
            yield _Span(span)


@asynccontextmanager
async def traced(url: str, exporter: SpanExporter | None = None) -> AsyncIterator[None]:
    """Send spans to a collector as long as the block runs, in batches and beside everything else.

    They name the program and nothing of the machine. A collector that is away costs the spans and nothing more.
    """
    provider = TracerProvider(resource=Resource({"service.name": _NAME}), shutdown_on_exit=False)
    sending = exporter or OTLPSpanExporter(endpoint=url, timeout=_EXPORT_SECONDS)
    provider.add_span_processor(BatchSpanProcessor(sending))
    try:
        with switched_on(_Tracer(provider.get_tracer(_NAME))):
            yield
    finally:
        await asyncio.to_thread(provider.shutdown)
