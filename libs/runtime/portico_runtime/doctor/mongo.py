from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from motor.motor_asyncio import AsyncIOMotorClient
from portico_contracts.topology import TOPOLOGY
from pymongo.errors import ConfigurationError, OperationFailure, PyMongoError

from portico_runtime.doctor.finding import Finding
from portico_runtime.doctor.server_lines import MONGODB, dotted, oldest, past_end
from portico_runtime.mongo.client import MongoClient, database_name
from portico_runtime.settings.sections.mongo import MongoSection
from portico_runtime.tls.refused import why_refused

_NAME: Final = "mongo"
_RIGHTS: Final = "mongo rights"
_NO_RECORD: Final = {"_id": "doctor: no such record"}
_OF_THE_SET: Final = ("replicaset", "directconnection", "loadbalanced")

_UNAUTHORIZED: Final = 13
_AUTHENTICATION_FAILED: Final = 18
_NEEDED: Final = frozenset(("find", "insert", "update", "remove", "createIndex"))
_OF_ADMINISTRATORS: Final = frozenset(
    ("createUser", "dropUser", "grantRole", "revokeRole", "changePassword", "createRole", "dropDatabase")
)
_MAY_BE_LATE: Final = 10.0
"""Seconds a member may lag, which is also how long a set without a majority retains its primary."""


async def check_mongo(settings: MongoSection, user: str) -> AsyncIterator[Finding]:
    try:
        client = MongoClient(settings, user)
    except (PyMongoError, ValueError) as error:
        fix = (
            "Set PORTICO_MONGO_URL to mongodb://host,host/?replicaSet=NAME or mongodb+srv://host, without credentials."
        )
        yield Finding(_NAME, "wrong", f"PORTICO_MONGO_URL cannot be used ({type(error).__name__})", fix)
        return
    try:
        hello: dict[str, Any] = await client.database.command("hello")
        yield await _line_of(client, hello)
        yield _set_of(hello)
        if refused := await _refused_transactions(client):
            yield refused
        yield await _majority(client)
        for finding in await _members(settings, hello):
            yield finding
        for finding in await _rights(client, user):
            yield finding
    except (PyMongoError, OSError) as error:
        yield _failure(error, settings, user)
    finally:
        await client.close()


def _failure(error: Exception, settings: MongoSection, user: str) -> Finding:
    if isinstance(error, OperationFailure) and error.code == _AUTHENTICATION_FAILED:
        fix = f"Set the password of the user {user} of the database {database_name(user)} to PORTICO_MONGO_PASSWORD."
        return Finding(_NAME, "wrong", f"it rejects the password of the user {user}", fix)
    if refusal := why_refused(error):
        fix = "Set tlsCAFile in PORTICO_MONGO_URL to its certificate authority. The certificate of each member must contain its host name."
        return Finding(_NAME, "wrong", refusal, fix, f"{user} rejects every request with 503.")
    if isinstance(error, ConfigurationError):
        fix = "Compare PORTICO_MONGO_URL with the name of the replica set, and check that its hosts resolve."
        return Finding(_NAME, "wrong", "PORTICO_MONGO_URL contains no usable server", fix)
    return Finding(
        _NAME,
        "wrong",
        f"no primary responds within {settings.mongo_timeout:g} s ({type(error).__name__})",
        "Start its members. This service must be able to reach each by its name in rs.conf().",
        f"{user} rejects every request with 503 until one does.",
    )


def _set_of(hello: Mapping[str, Any]) -> Finding:
    if "setName" not in hello:
        fix = "Start mongod with --replSet NAME, and run rs.initiate() once."
        why = "Portico uses transactions, which MongoDB supports only in replica sets."
        return Finding(_NAME, "wrong", "it is not a replica set", fix, why)
    members = len(hello.get("hosts", ())) + len(hello.get("passives", ()))
    if hello.get("arbiters"):
        fix = "Replace the arbiter with a data-bearing member: rs.remove(), rs.add()."
        why = "With an arbiter, only two members have the data. If one of them fails, no write is acknowledged by a majority."
        return Finding(_NAME, "warning", f"the set {hello['setName']} has an arbiter", fix, why)
    if members < 3:
        fix = "Add members until there are three, each on a separate machine."
        why = "While one is down nothing can be written, and its disk may hold the only copy."
        word = "member" if members == 1 else "members"
        return Finding(_NAME, "warning", f"the set {hello['setName']} has {members} {word}", fix, why)
    return Finding(_NAME, "ok", f"the set {hello['setName']} has {members} members")


async def _members(settings: MongoSection, hello: Mapping[str, Any]) -> list[Finding]:
    hosts = [*hello.get("hosts", ()), *hello.get("passives", ())]
    answers = await asyncio.gather(*(_hello_of(settings, host) for host in hosts))
    found = []
    newest = hello.get("lastWrite", {}).get("lastWriteDate")
    for host, answer in zip(hosts, answers, strict=True):
        if answer is None or not (answer.get("isWritablePrimary") or answer.get("secondary")):
            text = "does not respond" if answer is None else "is not an active member of the set"
            fix = "Check that it is running and that its name resolves where the service runs. rs.status() shows its state."
            why = "Nothing can be written while this is true for the majority of the set. The service must be able to reach every member that may become primary."
            found.append(Finding(_NAME, "warning", f"the member {host} {text}", fix, why))
        elif newest and (late := (newest - answer["lastWrite"]["lastWriteDate"]).total_seconds()) > _MAY_BE_LATE:
            fix = "Check its disk and its network. rs.printSecondaryReplicationInfo() shows its progress."
            found.append(Finding(_NAME, "warning", f"the member {host} lags by {late:.0f} s", fix))
    return found


async def _hello_of(settings: MongoSection, host: str) -> dict[str, Any] | None:
    milliseconds = int(settings.mongo_timeout * 1000)
    client: AsyncIOMotorClient[dict[str, Any]] | None = None
    try:
        client = AsyncIOMotorClient(
            _url_of(settings, host), tz_aware=True, serverSelectionTimeoutMS=milliseconds, timeoutMS=milliseconds
        )
        answer: dict[str, Any] = await client.admin.command("hello")
    except (PyMongoError, OSError):
        return None
    finally:
        if client is not None:
            client.close()
    return answer


def _url_of(settings: MongoSection, host: str) -> str:
    parts = urlsplit(settings.mongo_url)
    options = {name: value for name, value in parse_qsl(parts.query) if name.lower() not in _OF_THE_SET}
    if parts.scheme == "mongodb+srv":
        options = {"tls": "true", **{name: value for name, value in options.items() if not name.startswith("srv")}}
    return f"mongodb://{host}/?{urlencode({**options, 'directConnection': 'true'})}"


async def _line_of(client: MongoClient, hello: Mapping[str, Any]) -> Finding:
    build = await client.database.command("buildInfo")
    version = tuple(build["versionArray"][:3])
    name = f"{MONGODB} {dotted(version)}"
    fix = "Upgrade to 7.0 and then to 8.0. See docs/guides/upgrade.md#servers."
    if version[:2] < oldest(MONGODB):
        return Finding(_NAME, "wrong", f"it is {name}, which is too old", fix, "It lacks required operations.")
    if ended := past_end(MONGODB, version, hello["localTime"].date()):
        why = "Flaws that are found in it stay open."
        return Finding(_NAME, "warning", f"it is {name}, which has received no fixes since {ended}", fix, why)
    return Finding(_NAME, "ok", f"it is {name}")


async def _refused_transactions(client: MongoClient) -> Finding | None:
    """Commits a transaction that reads a missing record: some servers name a replica set and have no transactions."""
    try:
        async with await client.database.client.start_session() as session, session.start_transaction():
            await client.database["schema"].find_one(_NO_RECORD, session=session)
    except OperationFailure as error:
        if error.code == _UNAUTHORIZED:  # what `_rights` reports
            return None
        fix = "Use MongoDB itself, as a replica set. docs/generated/compatibility.md lists its versions."
        why = "Portico changes related records in transactions."
        return Finding(_NAME, "wrong", "it refuses transactions", fix, why)
    except PyMongoError:  # what `_majority` reports
        return None
    return None


async def _majority(client: MongoClient) -> Finding:
    """Sends an empty write, which MongoDB acknowledges once the majority has all earlier writes."""
    began = time.perf_counter()
    try:
        await client.database["schema"].update_one(_NO_RECORD, {"$unset": {"none": ""}})
    except OperationFailure as error:
        if error.code == _UNAUTHORIZED:  # what `_rights` reports
            return Finding(_NAME, "ok", "write acknowledgement cannot be checked with these permissions")
        return _not_acknowledged(error)
    except PyMongoError as error:
        return _not_acknowledged(error)
    milliseconds = (time.perf_counter() - began) * 1000
    return Finding(_NAME, "ok", f"writes are acknowledged by a majority within {milliseconds:.0f} ms")


def _not_acknowledged(error: PyMongoError) -> Finding:
    fix = "Start the members that are down. More than half of the data-bearing members must be running."
    text = f"writes are not acknowledged by a majority of its members ({type(error).__name__})"
    return Finding(_NAME, "wrong", text, fix, "Every change is rejected with 503. Unacknowledged writes may be lost.")


async def _rights(client: MongoClient, user: str) -> list[Finding]:
    own, others = database_name(user), [database_name(one.name) for one in TOPOLOGY.values() if one.mongo]
    status = await client.database.command({"connectionStatus": 1, "showPrivileges": True})
    privileges: list[dict[str, Any]] = status["authInfo"].get("authenticatedUserPrivileges", [])
    readable = [name for name in others if name != own and await _may_read(client, name)]
    foreign = sorted({_described(one["resource"]) for one in privileges if one["resource"].get("db") != own})
    of_own = {action for one in privileges if one["resource"].get("db") == own for action in one["actions"]}
    command = f'db.getSiblingDB("{own}").updateUser("{user}", {{roles: [{{role: "readWrite", db: "{own}"}}]}})'
    minimal = f"Give it readWrite on {own} and nothing else: {command}"
    found = []
    if readable and not foreign:
        fix = "Set security.authorization: enabled in mongod.conf, with a keyFile for a replica set."
        text = "authorization is off: every client has full access"
        found.append(
            Finding(_RIGHTS, "wrong", text, fix, "Anyone who can reach its port can read and change all accounts.")
        )
    elif foreign:
        text = f"the user {user} also has access to {', '.join(foreign)}"
        why = "Each service is limited to its own database, so that a compromised service cannot read the data of another one."
        found.append(Finding(_RIGHTS, "wrong", text, minimal, why))
    elif missing := sorted(_NEEDED - of_own):
        text = f"the user {user} may not {', '.join(missing)} in {own}"
        found.append(Finding(_RIGHTS, "wrong", text, minimal, "Requests that need it are rejected with 503."))
    if powers := sorted(_OF_ADMINISTRATORS & of_own):
        why = "An attacker who takes over this service could create database users or drop the database."
        found.append(Finding(_RIGHTS, "wrong", f"the user {user} may {', '.join(powers)} in {own}", minimal, why))
    return found or [Finding(_RIGHTS, "ok", f"the user {user} reads and writes {own} and nothing else")]


async def _may_read(client: MongoClient, database: str) -> bool:
    try:
        await client.database.client[database]["schema"].find_one(_NO_RECORD)
    except OperationFailure as error:
        if error.code != _UNAUTHORIZED:
            raise
        return False
    return True


def _described(resource: Mapping[str, Any]) -> str:
    if resource.get("anyResource"):
        return "everything"
    if resource.get("cluster"):
        return "the cluster"
    return str(resource.get("db") or "every database")
