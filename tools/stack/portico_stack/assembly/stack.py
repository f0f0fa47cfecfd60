from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from signal import Signals
from typing import Any, Final, Protocol

from portico_contracts.apply import Document
from portico_contracts.catalogue import OPERATOR
from portico_contracts.http import DISCOVERY
from portico_contracts.users import Applied

from portico_stack.assembly.layout import Layout, StackOptions, lay_out
from portico_stack.assembly.services import Replica, program_of, write_secrets
from portico_stack.installation import demo
from portico_stack.installation.installation import Installation
from portico_stack.machine import http_probe
from portico_stack.machine.private_files import private_directory
from portico_stack.processes.child import CallFailed, Child, import_modules
from portico_stack.processes.lock import DirectoryLock
from portico_stack.processes.programs import Process, Program, StartFailed, mebibytes
from portico_stack.processes.waiting import Waiting
from portico_stack.running.record import Running, forget_running, write_running
from portico_stack.running.service_commands import write_service_command
from portico_stack.servers.apps import LocalApps
from portico_stack.servers.mongo_files import require_stored_data
from portico_stack.servers.nats_guard import BusGuard, ask_replicas, disk_has_room

_STOP_SECONDS: Final = (1.0, 2.2, 1.5)
"""Stop timeouts of each stage before it is killed: edge, services, servers. Together below 5 seconds."""


_PREPARING: Final = (
    "portico_stack.installation.declared",
    "portico_stack.servers.mongo_admin",
    "portico_stack.servers.nats_stream",
)
"""Modules of the child, with the libraries that only the start needs."""


class _Server(Protocol):
    async def prepare(self) -> None: ...


class Stack:
    """`start` it, use its addresses, and `stop` it in any case; `report` receives lines about its parts."""

    def __init__(self, options: StackOptions, report: Callable[[str], None] = print) -> None:
        self.options = options
        self.logs = options.data / "logs"
        self.seconds = 0.0
        self.first_run_link = ""
        """The one-time link for the first administrator, where no administrator can sign in."""
        self._report = report
        self._lock = DirectoryLock(options.data)
        self._installation: Installation | None = None
        self._layout: Layout | None = None
        self._stages: tuple[dict[str, Process], ...] = ({}, {}, {})
        self._waiting = Waiting(self._all_processes, report)
        self._guarding: asyncio.Task[None] | None = None

    @property
    def layout(self) -> Layout:
        if self._layout is None:
            raise RuntimeError("the stack was not started")
        return self._layout

    @property
    def installation(self) -> Installation:
        """Passwords and secrets; available after `start`."""
        if self._installation is None:
            raise RuntimeError("the stack was not started")
        return self._installation

    @property
    def issuer(self) -> str:
        return self.layout.issuer

    def replicas_of(self, service: str) -> tuple[Replica, ...]:
        return tuple(replica for replica in self.layout.replicas if replica.service == service)

    async def start(self) -> None:
        """Returns once a browser could sign in; on failure, running parts continue until `stop`."""
        began = time.perf_counter()
        self._lock.acquire()
        require_stored_data(self.options.data)
        private_directory(self.options.data)
        forget_running(self.options.data)
        reporting = asyncio.create_task(self._waiting.run())
        try:
            async with Child(self.logs / "start.log") as child:
                await self._start_everything(child)
        finally:
            reporting.cancel()
        self._write_running(self.layout)
        self._guard_bus(self.layout)
        self.seconds = time.perf_counter() - began

    async def _start_everything(self, child: Child) -> None:
        self._installation = await child.call(
            "portico_stack.installation.installation:load_or_create", self.options.data
        )
        self._layout = lay_out(self.options, self.installation)
        # Only a new installation: the administrator of an existing one remains.
        self.installation.first_run |= self.options.first_run and not self.installation.has_data
        self.installation.save(self.options.data)
        await self._start_servers(self.layout, child)
        await self._start_services(self.layout)
        await self._wait_for_discovery()
        await self._apply_documents(child)
        await self._begin_first_run(self.layout, child)

    async def stop(self) -> bool:
        """Stops edge, services and servers, each stage concurrently; False when there was nothing to stop."""
        if not self._lock.held:  # what is in the directory is another stack's
            return False
        forget_running(self.options.data)
        if self._guarding:
            self._guarding.cancel()
        for stage, seconds in zip(self._stages, _STOP_SECONDS, strict=True):
            await asyncio.gather(*(process.stop(seconds) for process in stage.values()))
        self._lock.release()
        return True

    def kill(self, name: str) -> None:
        """Kills a part, which is then restarted. ``authz`` means all its replicas."""
        self.send(name, Signals.SIGKILL)

    def send(self, name: str, number: Signals) -> None:
        for process in self.processes(name):
            process.send(number)

    async def stop_part(self, name: str) -> None:
        await asyncio.gather(*(process.stop(_STOP_SECONDS[1]) for process in self.processes(name)))

    async def start_part(self, name: str) -> None:
        await _together([process.start() for process in self.processes(name)])

    async def wait_until_ready(self, name: str, seconds: float = 30.0) -> None:
        """Waits for a part that was killed or whose dependencies were unavailable."""
        async with asyncio.timeout(seconds):
            for process in self.processes(name):
                await _until_it_works(process.program.ready)

    async def apply(self, document: Document, *, check: bool = False) -> Applied:
        from portico_stack.running.operator_bus import apply_document  # noqa: PLC0415  # allow import-place: for callers that have the bus

        shared = self.layout.shared
        return await apply_document(shared.bus_url, shared.bus_passwords[OPERATOR], document, check=check)

    def services_mebibytes(self) -> float:
        return mebibytes(process.pid for process in self._stages[1].values() if process.pid)

    def _all_processes(self) -> list[Process]:
        return [process for stage in self._stages for process in stage.values()]

    def processes(self, name: str) -> Sequence[Process]:
        """The processes of a part; ``authz`` means all its replicas, ``redis`` all its nodes."""
        replicas = {replica.name for replica in self.layout.replicas if replica.service == name}
        everything = {part: process for stage in self._stages for part, process in stage.items()}
        wanted = re.compile(rf"{re.escape(name)}(-[0-9]+)?")
        found = [process for part, process in everything.items() if wanted.fullmatch(part) or part in replicas]
        if not found:
            raise KeyError(f"unknown part {name}; parts are {', '.join(everything)}")
        return found

    async def _start_servers(self, layout: Layout, child: Child) -> None:
        edge, _services, servers = self._stages
        # First, because the files of a program may not be written; then nothing else begins.
        apps, gateway = [one.program() for one in self._apps(layout)], layout.gateway.program()
        await _together(
            [
                child.call(import_modules, *_PREPARING),  # meanwhile the servers start
                self._start_server("redis", layout.redis, servers, child),
                self._start_server("mongo", layout.mongo, servers, child),
                self._start_server("nats", layout.nats, servers, child),
                *(self._start_visibly(program, servers) for program in apps),
                self._start_visibly(gateway, edge, layout.gateway.described),
            ]
        )

    def _apps(self, layout: Layout) -> list[LocalApps]:
        mail = layout.mail if self.options.catches_mail else None
        if self.options.container:
            return [LocalApps(mail=mail)] if mail else []
        secrets = private_directory(self.options.data / "secrets")
        settings = demo.relying_party_settings(layout.gateway, layout.demo_port, self.installation, secrets / "demo-rp")
        return [LocalApps(layout.demo_port, settings, mail)]

    async def _start_server(self, name: str, server: _Server, stage: dict[str, Process], child: Child) -> None:
        began = time.perf_counter()
        programs = _programs_of(server)
        await _together([self._start(program, stage) for program in programs])
        try:
            with self._waiting.step(name, "is prepared"):
                await child.call(server.prepare)
        except CallFailed as error:
            disks = [await asyncio.to_thread(stage[program.name].full_disk) for program in programs]
            reason = next(filter(None, disks), f"{error.kind}: {str(error)[:200]}")
            raise StartFailed(f"{name} could not be prepared: {reason}") from error
        self._report_ready(name, time.perf_counter() - began, "" if programs else "(given)")

    async def _start_services(self, layout: Layout) -> None:
        secrets = private_directory(self.options.data / "secrets")
        programs = [self._service_program(replica, layout, secrets) for replica in layout.replicas]
        await _together([self._start_visibly(program, self._stages[1]) for program in programs])

    def _service_program(self, replica: Replica, layout: Layout, secrets: Path) -> Program:
        directory = write_secrets(replica.service, self.installation, layout.shared, secrets / replica.service)
        extra = {**self.options.extra_env.get(replica.service, {}), **self.options.extra_env.get(replica.name, {})}
        program = program_of(replica, layout.shared, directory, extra)
        write_service_command(self.options.data, replica.service, program)
        if self.options.container:  # its output is the container's log
            return replace(program, foreground=True)
        return self.options.foreground.applied(program, replica)

    async def _start_visibly(self, program: Program, stage: dict[str, Process], note: str = "") -> None:
        process = await self._start(program, stage)
        self._report_ready(program.name, process.seconds, note)

    async def _start(self, program: Program, stage: dict[str, Process]) -> Process:
        process = stage[program.name] = Process(program, self.logs, self._report, self.options.wait_seconds)
        await process.start()
        return process

    def _report_ready(self, name: str, seconds: float, note: str = "") -> None:
        self._report(f"  {name:<12} ready  {seconds:4.1f} s  {note}".rstrip())

    async def _wait_for_discovery(self) -> None:
        gateway = self.layout.gateway

        async def discover() -> None:
            answer = await http_probe.get(gateway.port, DISCOVERY, ca_file=gateway.ca_file, host=gateway.host)
            if answer.status != 200:
                raise ConnectionError(f"status {answer.status}")

        try:
            with self._waiting.step("gateway", "no response yet"):
                async with asyncio.timeout(self.options.wait_seconds):
                    await _until_it_works(discover)
        except TimeoutError:
            raise StartFailed(
                f"the gateway does not respond to {DISCOVERY}; see {self.logs}/gateway.log and {self.logs}/authz.log"
            ) from None

    async def _apply_documents(self, child: Child) -> None:
        began = time.perf_counter()
        layout = self.layout
        with self._waiting.step("demo and console data", "is applied"):
            digests = await child.call(
                "portico_stack.installation.declared:apply_changed",
                self.installation,
                layout.issuer,
                "" if self.options.container else layout.demo_url,
                _login(layout),
            )
        if self.installation.declared != digests:
            self._report_ready("data", time.perf_counter() - began)
            self.installation.declared = digests
            self.installation.save(self.options.data)

    async def _begin_first_run(self, layout: Layout, child: Child) -> None:
        if self.installation.first_run:
            self.first_run_link = await child.call(
                "portico_stack.installation.declared:first_run_link", *_login(layout)
            )

    def _guard_bus(self, layout: Layout) -> None:
        nats = self._stages[2].get("nats")
        if nats is None:  # the operator provides it and restarts it
            return
        ports = [replica.internal_port for replica in layout.replicas]
        guard = BusGuard(
            lambda: ask_replicas(ports),
            lambda: disk_has_room(self.options.data),
            lambda: nats.send(Signals.SIGKILL),
            self._report,
        )
        self._guarding = asyncio.create_task(guard.run(), name="guard nats")

    def _write_running(self, layout: Layout) -> None:
        running = Running(
            issuer=layout.issuer,
            gateway_port=layout.gateway.port,
            bus_url=layout.shared.bus_url,
            internal_ports={replica.name: replica.internal_port for replica in layout.replicas},
            ca_file=str(layout.gateway.ca_file or ""),
        )
        write_running(self.options.data, running)


def _login(layout: Layout) -> tuple[str, str]:
    return layout.shared.bus_url, layout.shared.bus_passwords[OPERATOR]


def _programs_of(server: _Server) -> list[Program]:
    several: Callable[[], list[Program]] | None = getattr(server, "programs", None)
    one: Callable[[], Program] | None = getattr(server, "program", None)
    return several() if several else [one()] if one else []


async def _until_it_works(check: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            async with asyncio.timeout(2.0):
                await check()
        except Exception:  # whatever it is: not yet
            await asyncio.sleep(0.05)
        else:
            return


async def _together(work: Sequence[Coroutine[Any, Any, object]]) -> None:
    """Runs all concurrently; the first failure cancels the others and is raised unchanged."""
    try:
        async with asyncio.TaskGroup() as group:
            for coroutine in work:
                group.create_task(coroutine)
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
