"""A worker: it answers what ingress processes took in, one job at a time in each conversation, beside other workers.

The jobs are procrastinate's, which fetches them under their locks, hears of new ones and of those to be stopped, and says
that we live. Which message was answered is in the inbox alone; a job that comes again finds that out there.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from typing import TYPE_CHECKING, Any, Final

import procrastinate
import sqlalchemy as sa
import structlog
from procrastinate.exceptions import ConnectorException
from procrastinate.job_context import AbortReason
from procrastinate.manager import JobManager

from bots import serialization
from bots.contracts import ConversationKey, Occasion
from bots.ending import end
from bots.errors import BotError, outline
from bots.jobs import ANSWER, DEAD_AFTER, DELIVER, HEARTBEAT, NOTICE, Jobs, Registration
from bots.sending import STORE_ERRORS
from ledger.store import APPLICATION

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Coroutine, Iterable, Sequence
    from typing import LiteralString

    from procrastinate.job_context import JobContext
    from procrastinate.jobs import Job, Status
    from procrastinate.manager import NotificationCallback

    from bots.contracts import Adapter
    from bots.lease import Lease
    from bots.metrics import Metrics
    from bots.runner import Runner
    from ledger.store import Store

_log = structlog.get_logger(__name__)

#: Seconds between two looks for jobs of which no notification came: such as wait to be tried again, or lost their worker.
_POLL = 1.0
#: Seconds between two looks for dead workers; every so many, also for what waits without a job, or was put aside.
_LOOKING, _ADOPTING = 2.0, 300
#: Seconds until a job that failed is tried again, while those behind it wait.
_RETRY = 1
#: A worker has so many jobs in hand for each turn that it runs at a time: some only send, or wait for a place.
_JOBS_EACH_TURN = 2
#: What fetches and ends jobs needs few connections; one more listens.
_CONNECTIONS = 4
_CONNECTING = 10.0
#: Seconds for what was begun, once the worker is to end; container runtimes kill after ten.
_ENDING = 8.0


class Worker:
    """Answers with a runner what others took in. ``url`` is the database's."""

    name = "worker"

    def __init__(self, store: Store, url: str, runner: Runner, adapters: Sequence[Adapter]) -> None:
        """Nothing is begun before ``start``."""
        self._conninfo = conninfo(url)
        self._runner = runner
        self._sources = [adapter.name for adapter in adapters]
        self._jobs = Jobs(store)
        self._registration = Registration(store)
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self._up = False

    @property
    def metrics(self) -> Metrics:
        """What this worker counts."""
        return self._runner.metrics

    async def connected(self) -> bool:
        """Whether jobs can come at this moment."""
        return self._up

    async def start(self, lease: Lease | None = None) -> None:
        """Let the adapters send, and begin to answer."""
        del lease  # it keeps out who would serve alone; among workers the registration counts
        _quieten()
        await self._runner.start_working(self._registration, self._jobs)
        self._tasks = (asyncio.create_task(self._work()), asyncio.create_task(self._look_around()))

    async def drain(self, seconds: float) -> None:
        """Leave what can't be finished in a few seconds to other workers, and disconnect."""
        del seconds  # the library was told at the start
        await end(self._tasks, patience=_ENDING + 1)
        await self._runner.drain(0)

    async def _work(self) -> None:
        """Do jobs until it is time to end; where the database was away, as another worker once it is back."""
        task = asyncio.current_task()
        while (
            task is not None and not task.cancelling()
        ):  # an error of the library's may take the place of a cancellation
            try:
                await self._do_jobs()
            except Exception as error:  # noqa: BLE001 - whatever it is, the next try may do
                _log.warning("worker_interrupted", error=outline(error))
            finally:
                self._up = False
                await self._leave()
            await asyncio.sleep(_RETRY)

    async def _do_jobs(self) -> None:
        connector = procrastinate.PsycopgConnector(
            conninfo=self._conninfo, min_size=1, max_size=_CONNECTIONS, timeout=_CONNECTING
        )
        app = procrastinate.App(connector=connector)
        app.job_manager = _OwnJobs(connector, self._jobs, self._registration)
        for task, work in ((ANSWER, self._answer), (DELIVER, self._deliver), (NOTICE, self._notice)):
            app.task(name=task, pass_context=True, retry=procrastinate.RetryStrategy(wait=_RETRY))(self._logged(work))
        async with app.open_async():
            self._up = True
            await app.run_worker_async(
                queues=self._sources,
                concurrency=_JOBS_EACH_TURN * self._runner.settings.parallel_turns,
                fetch_job_polling_interval=_POLL,
                abort_job_polling_interval=_POLL,
                shutdown_graceful_timeout=_ENDING,
                delete_jobs="always",
                install_signal_handlers=False,
                update_heartbeat_interval=HEARTBEAT,
                stalled_worker_timeout=DEAD_AFTER,
            )

    async def _leave(self) -> None:
        """Let nobody take us for dead: what we had in hand is others', and no crash is to blame."""
        worker = self._registration.leave()
        try:
            if worker:
                await self._jobs.leave(worker)
        except STORE_ERRORS as error:  # they will
            _log.warning("worker_not_left", error=outline(error))

    async def _look_around(self) -> None:
        """Take over from dead workers, and find what waits in vain."""
        for look in itertools.count():
            try:
                await self._jobs.bury(self._sources)
                if look % _ADOPTING == 0:
                    await self._runner.inbox.unpark(self._sources)
                    await self._jobs.adopt(self._sources)
            except Exception as error:  # noqa: BLE001 - whatever it is, the next look may do
                _log.warning("worker_can_not_look", error=outline(error))
            await asyncio.sleep(_LOOKING)

    def _logged(self, work: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., Coroutine[Any, Any, None]]:
        """Return a task that logs what goes wrong."""

        async def task(context: JobContext, **arguments: Any) -> None:
            try:
                await work(context, **arguments)
            except Exception as error:
                _log.warning("job_failed", job=context.job.id, task=context.job.task_name, error=outline(error))
                raise

        return task

    async def _answer(self, context: JobContext, message: int, wait: int = 0) -> None:
        conversation, job = ConversationKey.parse(str(context.job.lock)), context.job.id
        assert job is not None
        if await self._jobs.before(job, conversation.person) >= self._runner.settings.parallel_turns_each:
            raise TooManyAtOnce("Others of this person's messages come first.")
        suspect = await self._jobs.is_suspect(message)
        work = asyncio.ensure_future(self._runner.work(conversation, message, wait, suspect=suspect))
        while not work.done():
            try:
                await asyncio.wait((work,))
            except asyncio.CancelledError:
                if context.abort_reason() is not AbortReason.USER_REQUEST:
                    work.cancel()
                    await asyncio.gather(work, return_exceptions=True)
                    raise
                self._runner.cancel(conversation)
        work.result()

    async def _deliver(self, _context: JobContext, reply: int) -> None:
        await self._runner.work_off(reply)

    async def _notice(self, _context: JobContext, occasion: str, place: str) -> None:
        await self._runner.say(Occasion(occasion, serialization.message_from_json(place)))


class TooManyAtOnce(BotError):
    """Other messages of the same person are being answered, as many as one person may have at a time."""


class _OwnJobs(JobManager):
    """What a worker tells the database of itself and its jobs, however often the connection ends meanwhile.

    It ends a job only for the worker that has it: one that was taken for dead must not end what another does by now. What
    waited behind the job's lock can begin then, and the library would look for that only a while later.
    """

    def __init__(self, connector: procrastinate.PsycopgConnector, jobs: Jobs, registration: Registration) -> None:
        super().__init__(connector)
        self._jobs = jobs
        self._registration = registration

    async def register_worker(self) -> int:
        """Be another worker from now on."""
        worker_id = await super().register_worker()
        self._registration.enter(worker_id)
        return worker_id

    async def unregister_worker(self, worker_id: int) -> None:
        """Leave in one step with what the worker had in hand, so that nobody takes it for dead between two."""
        await self._jobs.leave(worker_id)

    async def update_heartbeat(self, worker_id: int) -> None:
        """Say that the worker lives. After an error the library would never say so again; here the next beat does."""
        try:
            await super().update_heartbeat(worker_id)
        except ConnectorException as error:
            _log.warning("heartbeat_missed", error=outline(error))

    async def listen_for_jobs(
        self, *, on_notification: NotificationCallback, queues: Iterable[str] | None = None
    ) -> None:
        """Hear of jobs, also once no connection could be had for a while: the library would be deaf from then on."""
        while True:
            try:
                await super().listen_for_jobs(on_notification=on_notification, queues=queues)
            except ConnectorException as error:
                _log.warning("worker_not_listening", error=outline(error))
            await asyncio.sleep(_RETRY)

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        """Delete a job that is done."""
        del status, delete_job
        await self._note(_FINISH, job)

    async def retry_job(
        self,
        job: Job,
        retry_at: dt.datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        """Let a job wait again."""
        del priority, queue, lock
        await self._note(_RETRIED, job, at=retry_at, attempts=job.attempts)

    async def _note(self, query: LiteralString, job: Job, **values: Any) -> None:
        """Write down what became of a job, until that is done: all that waits behind its lock would wait for ever.

        A worker that has left gave its jobs back, and need not.
        """
        while self._registration.is_of(job.worker_id):
            try:
                await self.connector.execute_query_async(query, job=job.id, worker=job.worker_id, **values)
            except ConnectorException as error:
                _log.warning("job_not_noted", job=job.id, error=outline(error))
                await asyncio.sleep(_RETRY)
            else:
                return


def conninfo(url: str) -> str:
    """Return the address of a database as libpq reads it; what says how to encrypt has another name there."""
    parsed = sa.make_url(url)
    query = {("sslmode" if key == "ssl" else key): value for key, value in parsed.query.items()}
    query["application_name"] = APPLICATION
    return parsed.set(drivername="postgresql", query=query).render_as_string(hide_password=False)


def _quieten() -> None:
    """Keep the libraries' own logs to themselves: they hold arguments, and texts of errors."""
    for name in ("procrastinate", "psycopg"):
        logger = logging.getLogger(name)
        logger.propagate = False
        if not logger.handlers:
            logger.addHandler(_NamesOnly(logging.WARNING))


class _NamesOnly(logging.Handler):
    """Passes on that something was logged and where, but not the text."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log where it comes from."""
        error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        _log.warning("worker_library", where=f"{record.module}:{record.lineno}", error=error)


_FINISH: Final = """
WITH done AS (
  DELETE FROM procrastinate_jobs WHERE id = %(job)s AND worker_id = %(worker)s RETURNING lock, queue_name
)
SELECT pg_notify('procrastinate_queue_v1#' || queue_name, json_build_object('type', 'job_inserted', 'job_id', next.id)::text)
FROM done JOIN LATERAL (
  SELECT id FROM procrastinate_jobs WHERE lock = done.lock AND status = 'todo' ORDER BY priority DESC, id LIMIT 1
) next ON true
"""
_RETRIED: Final = """
UPDATE procrastinate_jobs SET status = 'todo', attempts = attempts + 1, abort_requested = false, scheduled_at = %(at)s
WHERE id = %(job)s AND worker_id = %(worker)s AND status = 'doing' AND attempts = %(attempts)s
"""
