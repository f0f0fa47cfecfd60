"""The operations that are measured. A new one is a function and a word in the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from portico_contracts.http import DISCOVERY
from portico_journeys.relying_party import Client

from bench import user_operations
from bench.client_authentication import credentials
from bench.plans import PlanValue
from bench.preparing import Ground, NotServed
from bench.target import origin_of, path_of
from bench.token_kinds import OPAQUE

Plan = Mapping[str, PlanValue]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What wrk runs.

    Args:
        url: any address of the service to ask; only where it is matters.
        script: a file in ``lua``.
        plan: what the script reads.
        front: ask at the issuer's own address, because the operation crosses services.
    """

    url: str
    script: str
    plan: Plan
    front: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of the table.

    Args:
        prepare: makes ready on a target; raises NotServed when the target does not offer it.
        chained: several requests that follow from one another.
        renewed: prepared again for every run, because a run uses up what it needs.
        at_most: connections. Operations that are under way when a run ends have cost time and are not counted,
            which falsifies the figures where an operation is slow.
        longer: takes so many times as long as the others.
    """

    name: str
    prepare: Callable[[Ground], Awaitable[Prepared]]
    chained: bool = False
    renewed: bool = False
    at_most: int = 1_000
    longer: int = 1


async def _discovery(ground: Ground) -> Prepared:
    url = f"{ground.target.issuer}{DISCOVERY}"
    return _rotating(url, [_get(url)], '"issuer"')


async def _keys(ground: Ground) -> Prepared:
    url = ground.endpoint("jwks_uri")
    return _rotating(url, [_get(url)], '"keys"')


def _client_credentials(kind: str) -> Callable[[Ground], Awaitable[Prepared]]:
    async def prepare(ground: Ground) -> Prepared:
        robot = await ground.robot(kind)
        url = ground.endpoint("token_endpoint")
        request = _post(url, robot, {"grant_type": "client_credentials", "scope": "openid"})
        return _rotating(url, [request], '"access_token"')

    return prepare


def _introspect(*, opaque: bool) -> Callable[[Ground], Awaitable[Prepared]]:
    async def prepare(ground: Ground) -> Prepared:
        url = ground.endpoint("introspection_endpoint")
        if (await ground.http.post(url)).status_code in (404, 405):
            raise NotServed("discovery names an introspection endpoint, and nothing answers there")
        asker = ground.client()
        tokens = await ground.tokens()
        wanted = [token for kind, some in tokens.items() if (kind == OPAQUE) == opaque for token in some]
        if not wanted:
            raise NotServed(f"no client gets such access tokens, only {', '.join(tokens)}")
        requests = [_post(url, asker, {"token": token}) for token in wanted]
        return _rotating(url, requests, '"active":true', '"active": true')

    return prepare


async def _userinfo(ground: Ground) -> Prepared:
    url = ground.endpoint("userinfo_endpoint")
    tokens = await ground.tokens()
    some = tokens.get(OPAQUE) or next(iter(tokens.values()))
    return _rotating(url, [_get(url, {"Authorization": f"Bearer {token}"}) for token in some], '"sub"')


async def _refresh(ground: Ground) -> Prepared:
    url = ground.endpoint("token_endpoint")
    headers, fields = credentials(ground.client())
    plan: Plan = {
        "path": path_of(url),
        "headers": headers,
        "fields": urlencode({"grant_type": "refresh_token", **fields}),
        "refresh_tokens": await ground.refresh_tokens(),
    }
    return Prepared(url, "refresh", plan)


async def _code_flow(ground: Ground) -> Prepared:
    plan: Plan = {**_flow_plan(ground), "cookies": await ground.signed_in()}
    return Prepared(ground.target.issuer, "code_flow", plan, front=True)


async def _sign_in(ground: Ground) -> Prepared:
    if not ground.target.cast.people:
        raise NotServed("no end user is given who could sign in with a password")
    people = [{"login_name": person.login_name, "password": person.password} for person in ground.target.cast.people]
    plan: Plan = {
        **_flow_plan(ground),
        "people": [people[number % len(people)] for number in range(ground.sessions)],
        "origin": origin_of(ground.target.issuer),
    }
    return Prepared(ground.target.issuer, "sign_in", plan, front=True)


async def _create_user(ground: Ground) -> Prepared:
    headers, body = await user_operations.creating(ground)
    plan: Plan = {"path": user_operations.HUMANS, "headers": headers, "body": body}
    return Prepared(f"{ground.target.issuer}{user_operations.HUMANS}", "create_user", plan)


async def _read_user(ground: Ground) -> Prepared:
    headers, ids = await user_operations.created(ground)
    urls = [f"{ground.target.issuer}/v2/users/{id}" for id in ids]
    return _rotating(urls[0], [_get(url, headers) for url in urls], '"userId"')


OPERATIONS: Final = (
    Operation("discovery", _discovery),
    Operation("keys", _keys),
    Operation("client_credentials RS256", _client_credentials("RS256")),
    Operation("client_credentials ES256", _client_credentials("ES256")),
    Operation("client_credentials opaque", _client_credentials(OPAQUE)),
    Operation("introspect opaque", _introspect(opaque=True)),
    Operation("introspect JWT", _introspect(opaque=False)),
    Operation("userinfo", _userinfo),
    Operation("refresh", _refresh, chained=True, renewed=True),
    Operation("code flow", _code_flow, chained=True),
    Operation("sign-in", _sign_in, chained=True, at_most=8, longer=2),
    Operation("create user", _create_user, renewed=True),
    Operation("read user", _read_user),
)
"""In the order of the budgets."""


def _flow_plan(ground: Ground) -> dict[str, PlanValue]:
    authorize, token = ground.endpoint("authorization_endpoint"), ground.endpoint("token_endpoint")
    if {origin_of(authorize), origin_of(token)} != {origin_of(ground.target.issuer)}:
        raise NotServed("authorize and token are not at the issuer's origin, and wrk speaks to one")
    client = ground.client()
    begun = ground.begin(client)
    headers, fields = credentials(client)
    form = {
        "grant_type": "authorization_code",
        "redirect_uri": client.redirect_uri,
        "code_verifier": begun.verifier,
        **fields,
    }
    return {
        "authorize": path_of(begun.url),
        "redirect_uri": client.redirect_uri,
        "token_path": path_of(token),
        "token_headers": headers,
        "token_fields": urlencode(form),
    }


def _rotating(url: str, requests: list[Plan], *needles: str) -> Prepared:
    return Prepared(url, "rotate", {"requests": requests, "status": 200, "needles": needles})


def _get(url: str, headers: Mapping[str, str] | None = None) -> Plan:
    return {"method": "GET", "path": path_of(url), "headers": dict(headers or {})}


def _post(url: str, client: Client, form: Mapping[str, str]) -> Plan:
    headers, fields = credentials(client)
    return {"method": "POST", "path": path_of(url), "headers": headers, "body": urlencode({**form, **fields})}


__all__ = ["OPERATIONS", "Operation", "Prepared"]
