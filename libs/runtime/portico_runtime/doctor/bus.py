from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Final

import nats.errors
from nats.aio.client import Client
from nats.js.api import StreamInfo
from nats.js.errors import APIError, NotFoundError
from portico_contracts.catalogue import BUS_SERVICES, MAX_PAYLOAD, inbox_prefix
from portico_contracts.events import STREAM
from portico_contracts.subjects import UNREADY

from portico_runtime.bus.event_stream import stream_config
from portico_runtime.bus.nats_client import NatsClient
from portico_runtime.doctor.finding import Finding
from portico_runtime.settings.section import InvalidSetting
from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.tls.refused import why_refused

_NAME: Final = "nats"
_STREAM: Final = "stream"
_RIGHTS: Final = "nats rights"

_SECONDS: Final = 4.0
_VIOLATION: Final = "permissions violation"


@dataclass(slots=True)
class _Errors:
    texts: list[str] = field(default_factory=list)

    async def add(self, error: Exception) -> None:
        self.texts.append(str(error).lower())
        await asyncio.sleep(0)

    def refuse(self, subject: str) -> bool:
        return any(_VIOLATION in text and f'"{subject.lower()}"' in text for text in self.texts)


async def check_bus(settings: BusSection, user: str) -> AsyncIterator[Finding]:
    errors = _Errors()
    try:
        client = await _connect(settings, user, settings.bus_password.get_secret_value(), errors)
    except InvalidSetting as error:
        yield Finding(_NAME, "wrong", str(error), "Correct the setting. The service does not start with it.")
        return
    except (nats.errors.Error, OSError, TimeoutError, ValueError) as error:
        yield _failure(error, errors, user)
        return
    try:
        yield _server(client)
        yield await _stream(client, settings.bus_stream_replicas)
        yield await _rights(client, settings, user, errors)
    except (nats.errors.Error, OSError, TimeoutError) as error:
        yield _failure(error, errors, user)
    finally:
        await client.close()


async def _connect(settings: BusSection, user: str, password: str, errors: _Errors) -> Client:
    client = NatsClient(settings.bus_url, user, password, settings.bus_ca_file)
    try:
        async with asyncio.timeout(_SECONDS):  # the client itself goes on for two minutes
            await client.connect_once(seconds=_SECONDS, report=errors.add)
    except BaseException:
        await client.close()
        raise
    return client


def _failure(error: Exception, errors: _Errors, user: str) -> Finding:
    if any("authorization" in text for text in (*errors.texts, str(error).lower())):
        fix = f"Include deploy/nats/permissions.conf, with PORTICO_BUS_PASSWORD as the password of {user}."
        return Finding(_NAME, "wrong", f"it rejects the password of the user {user}", fix)
    if refusal := why_refused(error):
        fix = "Set PORTICO_BUS_CA_FILE to its certificate authority, and PORTICO_BUS_URL to a name in its certificate."
        return Finding(
            _NAME,
            "wrong",
            refusal,
            fix,
            "The service does not send its password. Sign-ins and token requests are rejected with 503.",
        )
    fix = "Check that NATS is running and that PORTICO_BUS_URL is its address."
    why = "Services communicate over it. Sign-ins and token requests are rejected with 503."
    return Finding(_NAME, "wrong", f"it does not respond within {_SECONDS:g} s ({type(error).__name__})", fix, why)


def _server(client: Client) -> Finding:
    if client.max_payload < MAX_PAYLOAD:
        fix = f"Set max_payload: {MAX_PAYLOAD} in nats.conf."
        text = f"messages are limited to {client.max_payload} bytes, but Portico sends up to {MAX_PAYLOAD}"
        return Finding(_NAME, "wrong", text, fix, "Imports and long lists fail.")
    return Finding(_NAME, "ok", f"responds, version {_version(client)}")


def _version(client: Client) -> str:
    found = client.connected_server_version
    return f"{found.major}.{found.minor}.{found.patch}"


async def _stream(client: Client, replicas: int) -> Finding:
    fix = (
        "users recreates it within a second; otherwise see its log. Publish lost events with portico events republish."
    )
    why = "No events are delivered to webhooks, and caches are updated late."
    try:
        found = await client.jetstream(timeout=_SECONDS).stream_info(STREAM)
    except NotFoundError:
        return Finding(_STREAM, "wrong", f"the stream {STREAM} is missing", fix, why)
    except (nats.errors.Error, APIError, TimeoutError) as error:
        fix = (
            "Set jetstream { store_dir: … } in nats.conf. In a cluster, more than half of the servers must be running."
        )
        return Finding(_STREAM, "wrong", f"JetStream does not respond ({type(error).__name__})", fix, why)
    if form := _other_wire_format(found, replicas):
        fix = f"Run nats stream edit {STREAM} as the operator. `make up` and the job `prepare` of Docker Compose do it too."
        return Finding(_STREAM, "wrong", f"{STREAM} has a different configuration: {form}", fix, why)
    if lagging := _lagging(found):
        fix = "Start the servers that are down, and check their disks."
        why = "No event is stored while more than half of them are unavailable."
        return Finding(_STREAM, "warning", f"{lagging} of its {replicas} servers are lagging or unavailable", fix, why)
    return Finding(_STREAM, "ok", f"{STREAM} has {found.state.messages} events on {replicas} of its servers")


def _other_wire_format(found: StreamInfo, replicas: int) -> str:
    wanted, config = stream_config(replicas), found.config
    names = ("subjects", "storage", "retention", "discard", "num_replicas")
    differing = [name for name in names if getattr(config, name) != getattr(wanted, name)]
    return ", ".join(f"{name} {getattr(config, name)} instead of {getattr(wanted, name)}" for name in differing)


def _lagging(found: StreamInfo) -> int:
    others: list[Any] = (found.cluster.replicas if found.cluster else None) or []
    return sum(1 for one in others if one.offline or not one.current)


async def _rights(client: Client, settings: BusSection, user: str, errors: _Errors) -> Finding:
    fix = "Include deploy/nats/permissions.conf of this release in nats.conf. It has the subjects of each user."
    if await _takes_strangers(settings):
        why = "Anyone who can reach its port can send any request to any service."
        return Finding(_RIGHTS, "wrong", "it accepts clients without a password", fix, why)
    others = [one for one in BUS_SERVICES if one != user]
    # These subjects have no subscribers: where publishing is allowed, it has no effect.
    spoken = {f"{one}.v1.doctor": f"publish {one}.v1.>" for one in others}
    read = {f"{inbox_prefix(one)}.doctor": f"read the answers for {one}" for one in others}
    for subject in spoken:
        await client.publish(subject, b"")
    needed = f"{UNREADY}{user}.v1.doctor"
    for subject in (*read, needed):
        await client.subscribe(subject)
    await client.flush()
    await client.flush()  # the first one may have been sent before the rest was; refusals come before its answer
    allowed = [words for subject, words in {**spoken, **read}.items() if not errors.refuse(subject)]
    if allowed:
        why = "Each service is limited to its own subjects, so that a compromised service cannot act as another one."
        return Finding(_RIGHTS, "wrong", f"the user {user} may {', '.join(allowed)}", fix, why)
    if errors.refuse(needed):
        why = "When no replica is ready, requests that need no store also fail, after two seconds."
        return Finding(_RIGHTS, "wrong", f"the user {user} may not subscribe to {UNREADY}{user}.>", fix, why)
    return Finding(_RIGHTS, "ok", f"the user {user} has access to its own subjects and nothing else")


async def _takes_strangers(settings: BusSection) -> bool:
    try:
        await (await _connect(settings, "", "", _Errors())).close()
    except (nats.errors.Error, OSError, TimeoutError):
        return False
    return True
