"""Portico as a target: a stack of its own on free ports, with its applications, programs and people applied."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from portico_contracts.apply import (
    AccessTokenTypeName,
    Document,
    Email,
    GrantTypeName,
    Human,
    OidcApp,
    Organization,
    Password,
    Profile,
    Project,
    ServiceUser,
)
from portico_contracts.catalogue import SERVICES
from portico_contracts.users import Applied
from portico_journeys.relying_party import Client
from portico_stack.layout import StackOptions
from portico_stack.stack import Stack

from bench.processes import command_of, family_of
from bench.target import Cast, Person, Target

NAME: Final = "portico"
SETTINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "keys": {
        # One address asks all the time here, which the key set otherwise takes for a client without a cache.
        "PORTICO_KEYS_REQUESTS_PER_MINUTE": "1000000000",
        "PORTICO_SIGNING_ALGORITHMS": "RS256,ES256",
    },
    # The services get their one core after they have looked how many there are.
    "users": {"PORTICO_HASHING_WORKERS": "1"},
}
"""What differs from the defaults."""

_KINDS: Final = {"opaque": AccessTokenTypeName.BEARER, "jwt": AccessTokenTypeName.JWT}
_ROBOTS: Final = {
    "opaque": (AccessTokenTypeName.BEARER, "RS256"),
    "jwt": (AccessTokenTypeName.JWT, "RS256"),
    "jwt-es256": (AccessTokenTypeName.JWT, "ES256"),
}
"""Kind of access token, and what it is signed with where it is a JWT."""
_REDIRECT: Final = "http://localhost:1/callback"


@asynccontextmanager
async def stack_running(data: Path, people: int, say: Callable[[str], None]) -> AsyncIterator[Target]:
    """Starts a stack and applies the cast.

    Args:
        data: everything lies below it.
        people: how many may sign in.
        say: gets the lines of the start.
    """
    stack = Stack(StackOptions(data=data, port=0, extra_env=SETTINGS), say)
    try:
        await stack.start()
        wanted = new_cast(people)
        cast = with_robots(wanted, await stack.apply(document(wanted)))
        addresses = {service: f"http://{stack.replicas_of(service)[0].address}" for service in SERVICES}
        yield Target(NAME, stack.issuer, cast, addresses, service_pids())
    finally:
        await stack.stop()


def new_cast(people: int) -> Cast:
    """Two applications, one per kind of access token, and people with passwords."""
    clients = tuple(Client(f"bench-{kind}", _REDIRECT, secrets.token_hex(24)) for kind in _KINDS)
    several = tuple(Person(f"bench-{number}", secrets.token_hex(12)) for number in range(people))
    return Cast(clients=clients, people=several)


def with_robots(cast: Cast, applied: Applied) -> Cast:
    """The cast with the service users whose secret was made now; without secrets they cannot request tokens."""
    made = (change for change in applied.changes if change.kind == "service_user" and change.generated_secret)
    robots = tuple(Client(change.id, "", change.generated_secret) for change in made)
    return Cast(cast.clients, robots, cast.people)


def document(cast: Cast) -> Document:
    """The cast as a document of ``portico apply``."""
    apps = tuple(_app(client, kind) for client, kind in zip(cast.clients, _KINDS.values(), strict=True))
    organization = Organization(
        id="bench",
        name="Bench",
        projects=(Project(id="bench-project", name="Bench", oidc_apps=apps),),
        humans=tuple(_human(person) for person in cast.people),
        service_users=tuple(_robot(name, kind, alg) for name, (kind, alg) in _ROBOTS.items()),
    )
    return Document(organizations=(organization,))


def service_pids() -> dict[str, list[int]]:
    """The service processes among those this process started, by service."""
    found: dict[str, list[int]] = {service: [] for service in SERVICES}
    for pid in family_of(os.getpid()):
        command = command_of(pid)
        for service in SERVICES:
            if f"portico_{service.replace('-', '_')}" in command:
                found[service].append(pid)
    return found


def _app(client: Client, kind: AccessTokenTypeName) -> OidcApp:
    return OidcApp(
        name=client.client_id,
        client_id=client.client_id,
        client_secret=client.secret,
        redirect_uris=(client.redirect_uri,),
        grant_types=(GrantTypeName.AUTHORIZATION_CODE, GrantTypeName.REFRESH_TOKEN),
        access_token_type=kind,
    )


def _robot(name: str, kind: AccessTokenTypeName, alg: str) -> ServiceUser:
    return ServiceUser(
        id=f"bench-robot-{name}",
        username=f"bench-robot-{name}",
        name=name,
        access_token_type=kind,
        access_token_alg=alg,
        roles=("IAM_OWNER",),  # for the operations on users
    )


def _human(person: Person) -> Human:
    return Human(
        id=person.login_name,
        username=person.login_name,
        profile=Profile(first_name="Bench", last_name=person.login_name, preferred_language="en"),
        email=Email(email=f"{person.login_name}@mail.example.test", is_verified=True),
        password=Password(password=person.password),
    )
