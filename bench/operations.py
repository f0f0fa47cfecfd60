"""The operations that are measured. A new one is a function and a word in the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final
from urllib.parse import quote_plus, urlencode

from portico_contracts.http import DISCOVERY
from portico_journeys.relying_party import Client

from bench import user_operations
from bench.client_authentication import credentials
from bench.operation import Driven, Operation, Plan, Prepared
from bench.plans import PlanValue
from bench.preparing import Ground, NotServed
from bench.target import origin_of, path_of
from bench.token_kinds import OPAQUE
from bench.user_operations import USERS


async def _discovery(ground: Ground, _people: int) -> Prepared:
    url = f"{ground.target.issuer}{DISCOVERY}"
    return _rotating(url, _get(url), ['"issuer"'])


async def _keys(ground: Ground, _people: int) -> Prepared:
    url = ground.endpoint("jwks_uri")
    return _rotating(url, _get(url), ['"keys"'])


def _client_credentials(kind: str) -> Callable[[Ground, int], Awaitable[Prepared]]:
    async def prepare(ground: Ground, _people: int) -> Prepared:
        robot = await ground.robot(kind)
        url = ground.endpoint("token_endpoint")
        request = _post(url, robot, {"grant_type": "client_credentials", "scope": "openid"})
        return _rotating(url, request, ['"access_token"'])

    return prepare


def _introspect(*, opaque: bool) -> Callable[[Ground, int], Awaitable[Prepared]]:
    async def prepare(ground: Ground, people: int) -> Prepared:
        url = ground.endpoint("introspection_endpoint")
        if (await ground.http.post(url)).status_code in (404, 405):
            raise NotServed("discovery names an introspection endpoint, and nothing answers there")
        asker = ground.client()
        tokens = await ground.tokens(people)
        wanted = [token for kind, some in tokens.items() if (kind == OPAQUE) == opaque for token in some]
        if not wanted:
            raise NotServed(f"no client gets such access tokens, only {', '.join(tokens)}")
        values = [quote_plus(token) for token in wanted]
        return _rotating(url, _post(url, asker, {"token": "VALUE"}), ['"active":true', '"active": true'], values)

    return prepare


async def _userinfo(ground: Ground, people: int) -> Prepared:
    url = ground.endpoint("userinfo_endpoint")
    tokens = await ground.tokens(people)
    some = tokens.get(OPAQUE) or next(iter(tokens.values()))
    return _rotating(url, _get(url, {"Authorization": "Bearer VALUE"}), ['"sub"'], some)


async def _refresh(ground: Ground, people: int) -> Prepared:
    url = ground.endpoint("token_endpoint")
    headers, fields = credentials(ground.client())
    members = await ground.with_refresh_tokens(people)
    plan: Plan = {
        "path": path_of(url),
        "headers": headers,
        "fields": urlencode({"grant_type": "refresh_token", **fields}),
        "values": [member.refresh_token for member in members],
    }
    return Prepared(url, "refresh", plan, members, "refresh_token")


async def _code_flow(ground: Ground, people: int) -> Prepared:
    members = await ground.members(people)
    plan: Plan = {**_flow_plan(ground), "values": [member.cookie for member in members]}
    return Prepared(ground.target.issuer, "code_flow", plan, members, "cookie")


async def _sign_in(ground: Ground, _people: int) -> Prepared:
    if not ground.target.cast.people:
        raise NotServed("no end user is given who could sign in with a password")
    people = [{"login_name": person.login_name, "password": person.password} for person in ground.target.cast.people]
    plan: Plan = {
        **_flow_plan(ground),
        "people": [people[number % len(people)] for number in range(max(len(people), ground.sessions))],
        "origin": origin_of(ground.target.issuer),
    }
    return Prepared(ground.target.issuer, "sign_in", plan)


async def _create_user(ground: Ground, _people: int) -> Prepared:
    headers, body = await user_operations.creating(ground)
    plan: Plan = {"path": user_operations.HUMANS, "headers": headers, "body": body}
    return Prepared(f"{ground.target.issuer}{user_operations.HUMANS}", "create_user", plan)


async def _read_user(ground: Ground, _people: int) -> Prepared:
    headers, ids = await user_operations.created(ground)
    return _rotating(ground.target.issuer, _get(f"{USERS}/VALUE", headers), ['"userId"'], ids)


async def _list_users(ground: Ground, _people: int) -> Prepared:
    headers, _ids = await user_operations.created(ground)
    request: Plan = {"method": "POST", "path": USERS, "headers": headers, "body": user_operations.LISTED}
    return _rotating(f"{ground.target.issuer}{USERS}", request, ['"result"'])


async def _import_users(ground: Ground, _people: int) -> Driven:
    return await user_operations.importing(ground)


OPERATIONS: Final = (
    Operation("discovery", _discovery),
    Operation("keys", _keys),
    Operation("client_credentials RS256", _client_credentials("RS256")),
    Operation("client_credentials ES256", _client_credentials("ES256")),
    Operation("client_credentials opaque", _client_credentials(OPAQUE)),
    Operation("introspect opaque", _introspect(opaque=True), peopled=True),
    Operation("introspect JWT", _introspect(opaque=False), peopled=True),
    Operation("userinfo", _userinfo, peopled=True),
    Operation("refresh", _refresh, chained=True, renewed=True, peopled=True),
    Operation("code flow", _code_flow, chained=True, renewed=True, peopled=True, crosses=True),
    Operation("sign-in", _sign_in, chained=True, crosses=True, at_most=8, longer=2),
    Operation("create user", _create_user, renewed=True),
    Operation("read user", _read_user),
    Operation("list users", _list_users, at_most=8),
    Operation("import users", _import_users, renewed=True, crosses=True),
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


def _rotating(url: str, request: Plan, needles: Sequence[str], values: Sequence[str] = ("",)) -> Prepared:
    return Prepared(url, "rotate", {"requests": [request], "values": values, "status": 200, "needles": needles})


def _get(url: str, headers: Mapping[str, str] | None = None) -> Plan:
    return {"method": "GET", "path": path_of(url), "headers": dict(headers or {})}


def _post(url: str, client: Client, form: Mapping[str, str]) -> Plan:
    headers, fields = credentials(client)
    return {"method": "POST", "path": path_of(url), "headers": headers, "body": urlencode({**form, **fields})}
