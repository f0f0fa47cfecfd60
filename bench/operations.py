"""The operations that are measured. A new one is a function and a row in the table."""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import quantiles
from typing import Final
from urllib.parse import quote_plus, urlencode

from portico_contracts.http import DISCOVERY
from portico_scenarios.relying_party import Client, begin, proof_of

from bench.relying_party import HUMANS, OPAQUE, NotServed, RelyingParty, human
from bench.stack_target import PORTION, row, usual_hash
from bench.target import Member, origin_of, path_of
from bench.wrk import Drive, Load, Plan

USERS: Final = "/v2/users"
_PAGE: Final = {"query": {"offset": "0", "limit": 20, "asc": True}, "sortingColumn": "USER_FIELD_NAME_USER_NAME"}
_IMPORTS_AT_ONCE: Final = 2
_PROOFS: Final = 25_000
"""Of a run: more than it can send."""

REFRESH: Final = "refresh"
REFRESH_WITH_DPOP: Final = "refresh with DPoP"


@dataclass(frozen=True, slots=True)
class Prepared:
    """What wrk runs: a script of ``lua`` with its plan, which names any URL of the service.

    A run changes the attribute of the members, whose values are in the plan in their order. Proofs are too many for a
    plan, which every thread loads, so that a file has them.
    """

    script: str
    plan: Plan
    members: Sequence[Member] = ()
    attribute: str = ""
    proofs: str = ""


Driver = Callable[[Drive], Awaitable[Load]]
"""Drives an operation that is not HTTP."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of the table.

    Args:
        reach: what it may cost through the gateway over the whole population, in multiples of the limit.
        prepare: for so many people; raises NotServed.
        chained: several requests that follow from one another.
        renewed: prepared again for every run, because a run changes what it needs.
        peopled: measured over different numbers of people.
        crosses: needs several services, so that it cannot go past the gateway.
        at_most: connections; slow operations that are under way when a run ends would falsify the figures.
        longer: runs so many times as long as the others.
        compared: the operation, of the same target, whose cost is the unit of `reach` in place of the limit.
    """

    name: str
    reach: float
    prepare: Callable[[RelyingParty, int], Awaitable[Prepared | Driver]]
    chained: bool = False
    renewed: bool = False
    peopled: bool = False
    crosses: bool = False
    at_most: int = 1_000
    longer: int = 1
    compared: str = ""


async def _discovery(party: RelyingParty, _people: int) -> Prepared:
    return _rotating(_get(f"{party.target.issuer}{DISCOVERY}"), ['"issuer"'])


async def _keys(party: RelyingParty, _people: int) -> Prepared:
    return _rotating(_get(party.endpoint("jwks_uri")), ['"keys"'])


async def _client_credentials(party: RelyingParty, _people: int, kind: str) -> Prepared:
    form = {"grant_type": "client_credentials", "scope": "openid"}
    return _rotating(_post(party.endpoint("token_endpoint"), await party.robot(kind), form), ['"access_token"'])


async def _introspect(party: RelyingParty, people: int, *, opaque: bool) -> Prepared:
    url = party.endpoint("introspection_endpoint")
    if (await party.http.post(url)).status_code in (404, 405):
        raise NotServed("discovery names an introspection endpoint, and nothing answers there")
    tokens = await party.tokens(people)
    values = [quote_plus(one) for kind, some in tokens.items() if (kind == OPAQUE) == opaque for one in some]
    if not values:
        raise NotServed(f"no client gets such access tokens, only {', '.join(tokens)}")
    return introspecting(party, values, ['"active":true', '"active": true'])


def introspecting(party: RelyingParty, values: Sequence[str], needles: Sequence[str]) -> Prepared:
    """Introspections of these tokens in turn; each answer has one of the needles."""
    url = party.endpoint("introspection_endpoint")
    return _rotating(_post(url, party.client, {"token": "VALUE"}), needles, values)


async def _userinfo(party: RelyingParty, people: int) -> Prepared:
    tokens = await party.tokens(people)
    some = tokens.get(OPAQUE) or next(iter(tokens.values()))
    return _rotating(_get(party.endpoint("userinfo_endpoint"), {"Authorization": "Bearer VALUE"}), ['"sub"'], some)


async def _refresh(party: RelyingParty, people: int) -> Prepared:
    members = await party.members_with_refresh_tokens(people)
    request = _post(party.endpoint("token_endpoint"), party.client, {"grant_type": "refresh_token"})
    plan: Plan = {**request, "values": [member.refresh_token for member in members]}
    return Prepared("refresh", plan, members, "refresh_token")


async def _refresh_with_dpop(party: RelyingParty, people: int) -> Prepared:
    """Every member is a client with its own key, as browsers and telephones are, and every request has a new proof."""
    members, url = await party.members_with_dpop(people), party.endpoint("token_endpoint")
    proofs = party.proofs(url, len(members), max(len(members), _PROOFS))
    request = _post(url, party.dpop_client, {"grant_type": "refresh_token"})
    values = [member.dpop_refresh_token for member in members]
    plan: Plan = {**request, "values": values, "proof_length": len(proofs[0])}
    return Prepared("refresh", plan, members, "dpop_refresh_token", "".join(proofs))


async def _code_flow(party: RelyingParty, people: int) -> Prepared:
    members = party.members(people)
    plan: Plan = {**_flow_plan(party), "values": [member.cookie for member in members]}
    return Prepared("code_flow", plan, members, "cookie")


async def _sign_in(party: RelyingParty, _people: int) -> Prepared:
    passwords = party.target.accounts.passwords
    if not passwords:
        raise NotServed("no user is given who could sign in with a password")
    people = [{"login_name": name, "password": password} for name, password in passwords.items()]
    return Prepared("sign_in", {**_flow_plan(party), "people": people, "origin": origin_of(party.target.issuer)})


async def _create_user(party: RelyingParty, _people: int) -> Prepared:
    # The script puts thread and number in the place of NAME; no earlier run has the same end.
    body = human(f"NAME{secrets.token_hex(6)}")
    url, headers = f"{party.target.issuer}{HUMANS}", await party.management_headers()
    return Prepared("create_user", {"url": url, "path": HUMANS, "headers": headers, "body": body})


async def _read_user(party: RelyingParty, _people: int) -> Prepared:
    headers = await party.management_headers()
    request = _get(f"{party.target.issuer}{USERS}/VALUE", headers)
    return _rotating(request, ['"userId"'], await party.created_users(headers))


async def _list_users(party: RelyingParty, _people: int) -> Prepared:
    headers = await party.management_headers()
    await party.created_users(headers)
    request = {**_get(f"{party.target.issuer}{USERS}", headers), "method": "POST", "body": json.dumps(_PAGE)}
    return _rotating(request, ['"result"'])


async def _import_users(party: RelyingParty, _people: int) -> Driver:
    import_rows, hash = party.target.import_rows, usual_hash(secrets.token_hex(16))
    if import_rows is None:
        raise NotServed("there is no import")

    async def drive(wanted: Drive) -> Load:
        began, took = time.perf_counter(), list[float]()

        async def work() -> None:
            while time.perf_counter() - began < wanted.seconds:
                beginning = time.perf_counter()
                await import_rows([row(f"import-{secrets.token_hex(8)}", hash) for _ in range(PORTION)])
                took.append((time.perf_counter() - beginning) * 1e6)

        await asyncio.gather(*(work() for _ in range(_IMPORTS_AT_ONCE)))
        shares = quantiles(took, n=100) if len(took) > 1 else took * 99
        duration, users = (time.perf_counter() - began) * 1e6, len(took) * PORTION
        return Load(duration, len(took), users, shares[49], shares[94], shares[98])

    return drive


OPERATIONS: Final = (
    Operation("discovery", 2.0, _discovery),
    Operation("keys", 2.0, _keys),
    Operation("client_credentials RS256", 1.25, partial(_client_credentials, kind="RS256")),
    Operation("client_credentials opaque", 3.0, partial(_client_credentials, kind=OPAQUE)),
    Operation("introspect opaque", 3.0, partial(_introspect, opaque=True), peopled=True),
    Operation("introspect JWT", 1.3, partial(_introspect, opaque=False), peopled=True),
    Operation("userinfo", 2.8, _userinfo, peopled=True),
    Operation(REFRESH, 1.5, _refresh, chained=True, renewed=True, peopled=True),
    Operation(REFRESH_WITH_DPOP, 1.4, _refresh_with_dpop, chained=True, renewed=True, peopled=True, compared=REFRESH),
    Operation("code flow", 2.6, _code_flow, chained=True, renewed=True, peopled=True, crosses=True),
    Operation("sign-in", 1.5, _sign_in, chained=True, crosses=True, at_most=8, longer=2),
    Operation("create user", 2.0, _create_user, renewed=True),
    Operation("read user", 2.0, _read_user),
    Operation("list users", 2.0, _list_users, at_most=8),
    # A sixth of what it cost when it was first measured so.
    Operation("import users", 12.8, _import_users, renewed=True, crosses=True),
)
REACH: Final = {operation.name: operation.reach for operation in OPERATIONS}
COMPARED: Final = {operation.name: operation.compared for operation in OPERATIONS if operation.compared}


def named(only: str) -> list[Operation]:
    """The operations whose names contain one of some words, separated by commas."""
    words = [word.strip().lower() for word in only.split(",")]
    for word in words:
        if not any(word in operation.name.lower() for operation in OPERATIONS):
            raise argparse.ArgumentTypeError(f"no operation is called {word}")
    return [one for one in OPERATIONS if any(word in one.name.lower() for word in words)]


def _flow_plan(party: RelyingParty) -> Plan:
    authorize, token = party.endpoint("authorization_endpoint"), party.endpoint("token_endpoint")
    if {origin_of(authorize), origin_of(token)} != {origin_of(party.target.issuer)}:
        raise NotServed("authorize and token are not at the issuer's origin, and wrk speaks to one")
    client = party.client
    begun = begin(party.metadata, client)
    form = {"grant_type": "authorization_code", "redirect_uri": client.redirect_uri, "code_verifier": begun.verifier}
    request = {"url": authorize, "authorize": path_of(begun.url), "redirect_uri": client.redirect_uri}
    return {**request, "token": _post(token, client, form)}


def _rotating(request: Plan, needles: Sequence[str], values: Sequence[str] = ("",)) -> Prepared:
    plan = {"url": request["url"], "requests": [request], "values": values, "status": 200, "needles": needles}
    return Prepared("rotate", plan)


def _get(url: str, headers: Mapping[str, str] | None = None) -> Plan:
    return {"url": url, "method": "GET", "path": path_of(url), "headers": headers or {}}


def _post(url: str, client: Client, form: Mapping[str, str]) -> Plan:
    proof = proof_of(client, url)
    headers = {"Content-Type": "application/x-www-form-urlencoded", **proof.headers}
    body = urlencode({**form, **proof.form})
    return {"url": url, "method": "POST", "path": path_of(url), "headers": headers, "body": body}
