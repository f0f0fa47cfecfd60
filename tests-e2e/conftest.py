from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Generator, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, StorageState, async_playwright, expect
from portico_harness.eventually import HANGS
from portico_harness.ldap_server import RunningLdapServer
from portico_harness.service_logs import complaints_since
from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.attacker import Attacker
from portico_scenarios.breached_list import write_breached_list
from portico_scenarios.everywhere import Everywhere
from portico_scenarios.federated import Federated, running
from portico_scenarios.metadata_host import MetadataHost
from portico_scenarios.signed_in import signed_in
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.replicas import Replicas
from portico_stack.machine.ports import free_port

CHROMIUM = shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
"""A headless shell takes half the time per page."""

GO_CLIENTS = Path(__file__).parent / "clients" / "go"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A new frame for each document, the default, makes simple pages a third more expensive and others a tenth.
    "--enable-features=RenderDocument:level/crashed-frame",
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the services' warnings to the report of a failed scenario."""
    report = yield
    if report.failed:
        began = datetime.fromtimestamp(call.start, UTC)
        for name, value in getattr(item, "funcargs", {}).items():
            if isinstance(value, World) and (told := complaints_since(value.stack.logs, began)):
                report.sections.append((f"complaints of {name}", told))
    return report


@pytest.fixture(scope="session")
def webhook_listener() -> Iterator[socket.socket]:
    """The webhook receiver's socket, bound from the start because users gets its address at startup."""
    with socket.create_server(("127.0.0.1", free_port())) as listener:
        yield listener


@pytest.fixture(scope="session")
def old_system_listener() -> Iterator[socket.socket]:
    """The socket of the hook of lazy migration."""
    with socket.create_server(("127.0.0.1", free_port())) as listener:
        yield listener


@pytest.fixture(scope="session")
def hook_listener() -> Iterator[socket.socket]:
    """The socket of token hooks."""
    with socket.create_server(("127.0.0.1", free_port())) as listener:
        yield listener


@pytest.fixture(scope="session")
async def metadata_host(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MetadataHost]:
    host = MetadataHost(tmp_path_factory.mktemp("metadata"))
    async with host.serving():
        yield host


@pytest.fixture(scope="session")
async def world(
    tmp_path_factory: pytest.TempPathFactory,
    webhook_listener: socket.socket,
    old_system_listener: socket.socket,
    hook_listener: socket.socket,
    metadata_host: MetadataHost,
) -> AsyncIterator[World]:
    """The stack of most scenarios: one process per service, keys of every algorithm."""
    users = dict(metadata_host.environment)
    for listener in (webhook_listener, old_system_listener, hook_listener):
        host, port = listener.getsockname()
        users["PORTICO_OUTBOUND_ALLOW"] += f",{host}:{port}"
    users["PORTICO_BREACHED_PASSWORDS_FILE"] = str(write_breached_list(tmp_path_factory.mktemp("breached")))
    environment = {"keys": {"PORTICO_SIGNING_ALGORITHMS": "RS256,ES256,EdDSA"}, "users": users}
    async with started(StackOptions(tmp_path_factory.mktemp("one"), port=0, extra_env=environment)) as one:
        yield one


@pytest.fixture(scope="session")
async def secure(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A stack with https and without an administrator, who is created by the link of the first run."""
    async with started(StackOptions(tmp_path_factory.mktemp("secure"), port=0, https=True, first_run=True)) as one:
        yield one


@pytest.fixture(scope="session")
async def doubled(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    async with started(StackOptions(tmp_path_factory.mktemp("two"), port=0, replicas=Replicas(2))) as two:
        yield two


@pytest.fixture(scope="session")
async def everywhere(doubled: World) -> AsyncIterator[Everywhere]:
    async with Everywhere(doubled) as replicas:
        yield replicas


@pytest.fixture(scope="session")
async def federated(
    tmp_path_factory: pytest.TempPathFactory, ldap_server: RunningLdapServer
) -> AsyncIterator[Federated]:
    """A stack that may call identity providers, an LDAP server and a span collector."""
    async with running(tmp_path_factory.mktemp("federated"), ldap_server) as stage:
        yield stage


@pytest.fixture(scope="session")
async def admin(world: World) -> Administrator:
    return await administrator_of(world)


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    expect.set_options(timeout=1000 * HANGS)  # five seconds by default, which a busy machine misses
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        # A transition draws the page up to nine times after each change: 7 % of the processor time of browser tests.
        chromium.new_context = partial(chromium.new_context, reduced_motion="reduce")  # type: ignore[method-assign]
        yield chromium
        await chromium.close()


@pytest.fixture(scope="module")
async def administrators_cookies(world: World) -> StorageState:
    path = "/ui/console/orgs/demo-organization"
    return await signed_in(world, path, "admin", world.stack.installation.admin_password)


@pytest.fixture(
    params=[
        pytest.param(True, id="with scripts"),
        pytest.param(False, id="without scripts", marks=pytest.mark.long),
    ]
)
def scripts(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
async def admin_tab(browser: Browser, administrators_cookies: StorageState, scripts: bool) -> AsyncIterator[Page]:
    """A tab of the administrator, who is signed in to the console."""
    context = await browser.new_context(java_script_enabled=scripts, storage_state=administrators_cookies)
    yield await context.new_page()
    await context.close()


@pytest.fixture
async def tab(browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context()
    page = await context.new_page()
    page.set_default_timeout(1000 * HANGS)
    yield page
    await context.close()


@pytest.fixture
async def either_tab(browser: Browser, scripts: bool) -> AsyncIterator[Page]:
    """A tab with or without scripts, after `scripts`."""
    context = await browser.new_context(java_script_enabled=scripts)
    yield await context.new_page()
    await context.close()


@pytest.fixture
def attacker(world: World) -> Attacker:
    return Attacker(world)


@pytest.fixture
async def secure_tab(browser: Browser) -> AsyncIterator[Page]:
    """A tab that accepts the certificate of `secure`."""
    context = await browser.new_context(ignore_https_errors=True)
    yield await context.new_page()
    await context.close()


@pytest.fixture(scope="module")
async def unharmed(world: World) -> AsyncIterator[None]:
    """Checks at the end of a module that no process died and none logged an internal error (RX-12)."""
    attacker = Attacker(world)
    before = await attacker.vital_signs()
    yield
    assert await attacker.vital_signs() == before


@pytest.fixture(scope="session")
def go_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of `clients/go`, built once with the modules of go.sum."""
    built = tmp_path_factory.mktemp("go") / "clients"
    subprocess.run(("go", "build", "-mod=readonly", "-o", built, "."), cwd=GO_CLIENTS, check=True)
    return built
