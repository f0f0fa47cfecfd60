"""Canaries: unique secrets that are used in every way and must not leak anywhere (IN-09)."""

from __future__ import annotations

import asyncio
import base64
import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest
from portico_harness.eventually import eventually
from portico_harness.portico_command import processes_of
from portico_scenarios.attacker import FORM
from portico_scenarios.participants import ALICE, ERIN
from portico_scenarios.relying_party import begin, userinfo
from portico_scenarios.world import World, code_in

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("unharmed")]

ENOUGH = 16
"""Length of a secret's part that counts as a leak, because logs shorten values."""


@dataclass
class Planted:
    """The planted secrets, and every response seen meanwhile.

    Attributes:
        lasting: secrets by kind.
        presented: valid and invalid values sent by other parties, which responses must not repeat.
    """

    lasting: dict[str, str] = field(default_factory=dict, repr=False)
    presented: dict[str, str] = field(default_factory=dict, repr=False)
    answers: list[httpx.Response] = field(default_factory=list, repr=False)

    def plant(self, what: str) -> str:
        """Returns a new unique value, long enough for a partial match."""
        self.presented[what] = value = f"canary{secrets.token_hex(12)}"
        return value

    def everything(self) -> dict[str, str]:
        return {**self.lasting, **self.presented}


async def _sign_in(world: World, planted: Planted, name: str) -> None:
    """Signs in after a wrong password, then uses the code wrongly, correctly and once more."""
    begun = begin(world.metadata, world.clients[name])
    async with world.agent() as agent:
        await agent.open(begun.url)
        first = next(iter(agent.http.cookies.jar)).value or ""
        await agent.press("loginname-submit", loginname=ERIN.login_name)
        wrong = await agent.press("password-submit", password=planted.plant(f"{name}: wrong password"))
        code = code_in(await agent.press("password-submit", password=ERIN.password))
        second = next(iter(agent.http.cookies.jar)).value or ""
    bad = await world.redeem(name, code, code_verifier="x" * 43)
    good = (await world.redeem(name, code, code_verifier=begun.verifier)).json()
    ok = await userinfo(world.http, world.metadata, good["access_token"])
    again = await world.redeem(name, code, code_verifier=begun.verifier)
    dead = await userinfo(world.http, world.metadata, good["access_token"])
    planted.answers += [wrong.response, bad, ok, again, dead]
    of_jwt = good["access_token"].rpartition(".")[2]
    planted.lasting |= {
        f"{name}: handle": first,
        f"{name}: handle after sign-in": second,
        f"{name}: code": code,
        f"{name}: verifier": begun.verifier,
        f"{name}: access token": of_jwt,
        f"{name}: id token": good["id_token"].rpartition(".")[2],
        f"{name}: client secret": world.clients[name].secret,
    }


FORM_FIELDS = (
    *("code", "client_secret", "client_assertion", "assertion", "refresh_token", "code_verifier", "token", "password"),
    *("access_token", "id_token_hint"),
)


def _misplaced(planted: Planted, world: World) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Sends secrets in wrong places: in the URL, without a scheme, under another name."""
    endpoints = [world.metadata[f"{name}_endpoint"] for name in ("token", "introspection", "revocation", "userinfo")]
    for url in endpoints:
        place = url.rpartition("/")[2]
        for name in FORM_FIELDS:
            value = planted.plant(f"{name} in the address of {place}")
            yield "POST", f"{url}?{name}={value}", {"data": {"grant_type": "authorization_code"}}
            value = planted.plant(f"{name} in the form at {place}")
            yield "POST", url, {"data": {"grant_type": "authorization_code", "client_id": "e2e-basic", name: value}}
        for scheme in ("Basic ", "Bearer ", "bearer", "", "Digest ", "DPoP "):
            value = planted.plant(f"after {scheme!r} at {place}")
            yield "POST", url, {"headers": {"Authorization": f"{scheme}{value}"}, "data": {"token": "x"}}
        value = planted.plant(f"basic secret at {place}")
        pair = base64.b64encode(f"e2e-basic:{quote(value)}".encode()).decode()
        planted.presented[f"basic pair at {place}"] = pair
        yield "POST", url, {"headers": {"Authorization": f"Basic {pair}"}, "data": {"token": "x"}}
    for path in ("/ui/login", "/oauth/v2/authorize", "/oauth/v2/authorize/resume", "/oidc/v1/end_session"):
        for name in ("password", "code", "access_token", "id_token_hint", "client_secret"):
            value = planted.plant(f"{name} in the address of {path}")
            yield "GET", f"{world.issuer}{path}?{name}={value}", {}
        value = planted.plant(f"password in a form to {path}")
        body = urlencode({"password": value, "csrf": value[::-1]})
        yield "POST", f"{world.issuer}{path}", {"content": body, "headers": {"Content-Type": FORM}}
        value = planted.plant(f"cookie at {path}")
        yield "GET", f"{world.issuer}{path}", {"headers": {"Cookie": f"portico-ua={value}; x={value}"}}


CONSOLE_PATHS = (
    *("/ui/console", "/ui/console/callback", "/ui/console/sign-out", "/ui/console/orgs/demo-organization/users/do/new"),
    *("/ui/account", "/ui/account/callback", "/ui/account/security", "/ui/account/profile"),
)


def _misplaced_at_the_console(planted: Planted, world: World) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Does the same for console and account page without a session: URLs, forms, cookies, foreign codes."""
    for path in CONSOLE_PATHS:
        for name in (*FORM_FIELDS, "f.password.password"):
            value = planted.plant(f"{name} in the address of {path}")
            yield "GET", f"{world.issuer}{path}?{name}={value}", {}
            value = planted.plant(f"{name} in a form to {path}")
            headers = {"Content-Type": FORM, "Origin": world.issuer}
            yield "POST", f"{world.issuer}{path}", {"content": urlencode({name: value}), "headers": headers}
        value = planted.plant(f"session at {path}")
        cookies = f"portico-console={value}; portico-account={value}; __Host-portico-console={value}"
        yield "GET", f"{world.issuer}{path}", {"headers": {"Cookie": cookies}}


async def _console(world: World, planted: Planted) -> None:
    """Runs an administrator's session: its cookie, its CSRF token, passwords that are set, secrets that are
    shown once.

    Its pages show secrets on purpose, so they are not among the checked responses.
    """
    tag = secrets.token_hex(4)
    place = f"{world.issuer}/ui/console/orgs/demo-organization"
    async with world.agent() as agent:
        await agent.sign_in(place, "admin", world.stack.installation.admin_password)
        planted.lasting |= {
            f"console: cookie {cookie.name}": cookie.value or ""
            for cookie in agent.http.cookies.jar
            if len(cookie.value or "") >= ENOUGH
        }
        page = await agent.open(f"{place}/users/do/new")
        [csrf, *_] = re.findall(r'name="csrf" value="([^"]+)"', page.response.text)
        planted.lasting["console: csrf"] = csrf
        await agent.press(
            "form-submit",
            f_username=f"canary-{tag}",
            f_profile_firstName="Ada",
            f_profile_lastName="L",
            f_email_email=f"canary-{tag}@demo.localhost",
            how_password="password",
            f_password_password=planted.plant("console: password of a new user"),
        )
        await agent.open(f"{place}/machines/do/new")
        page = await agent.press("form-submit", f_userName=f"robot-{tag}", f_name=f"robot-{tag}")
        machine = str(page.response.url).partition("?")[0]
        for word, action in (("secret", "do/secret"), ("token", "tokens/do/new")):
            await agent.open(f"{machine}/{action}")
            page = await agent.press("form-submit")
            [*_, shown] = re.findall(r'id="once-\d+"[^>]*>([^<]{20,})<', page.response.text)
            planted.lasting[f"console: {word} of a service user"] = shown


def _of_the_installation(world: World) -> dict[str, str]:
    installation = world.stack.installation
    named: Iterable[tuple[str, dict[str, str]]] = (
        ("bus", installation.bus_passwords),
        ("redis", installation.redis_passwords),
        ("mongo", installation.mongo_passwords),
    )
    return {
        "administrator": installation.admin_password,
        **{f"master key of {name}": key for name, key in installation.sealing_keys.items()},
        "login API key": installation.login_api_key,
        "demo client secret": installation.demo_client_secret,
        "database member key": installation.mongo_member_key,
        "password": ERIN.password,
        "another password": ALICE.password,
        **{f"{kind} password of {user}": value for kind, passwords in named for user, value in passwords.items()},
    }


@pytest.fixture(scope="module")
async def planted(world: World) -> Planted:
    all_of_it = Planted(lasting=_of_the_installation(world))
    for name in ("basic", "jwt"):
        await _sign_in(world, all_of_it, name)
    for method, url, how in list(_misplaced(all_of_it, world)):
        all_of_it.answers.append(await world.http.request(method, url, **how))
    for method, url, how in list(_misplaced_at_the_console(all_of_it, world)):
        all_of_it.answers.append(await world.http.request(method, url, **how))
    await _console(world, all_of_it)
    return all_of_it


def _leaks(planted: dict[str, str], places: dict[str, str]) -> list[str]:
    return [
        f"{what} in {where}" for where, text in places.items() for what, secret in planted.items() if secret in text
    ]


def _texts(paths: Iterable[Path]) -> dict[str, str]:
    return {str(path): path.read_text(errors="replace") for path in paths if path.is_file()}


async def test_enough_secrets_are_planted(planted: Planted) -> None:
    """The search is meaningful: many different secrets were planted, and each was used."""
    values = list(planted.everything().values())

    assert len(values) > 350
    assert len(set(values)) == len(values)
    assert all(len(value) >= 16 for value in values)
    assert all(answer.status_code < 500 for answer in planted.answers)


async def test_logs_contain_no_secrets(world: World, planted: Planted) -> None:
    """Neither valid secrets nor secrets entered in the wrong field are logged (IN-09)."""
    marker = (await world.redeem("jwt", "no-code-at-all")).headers["x-request-id"]

    async def logs() -> dict[str, str]:
        return await asyncio.to_thread(lambda: _texts(world.stack.logs.iterdir()))

    # Logs are written asynchronously; once the last request is logged, all earlier ones are.
    places = await eventually(logs, lambda texts: any(marker in text for text in texts.values()))

    assert len(places) > 5
    assert f"marker in {world.stack.logs / 'token.log'}" in _leaks({"marker": marker}, places)
    assert _leaks(planted.everything(), places) == []


async def test_arguments_and_environment_contain_no_secrets(world: World, planted: Planted) -> None:
    """Process arguments and environments, which other users or crash reports may read, contain no secret (IN-09)."""
    running = await asyncio.to_thread(processes_of, world.stack.options.data)
    places = {f"process {pid}": f"{process.command}\0{process.environment}" for pid, process in running.items()}

    assert len(places) >= 9
    assert _leaks(planted.everything(), places) == []


async def test_metrics_contain_no_secrets(world: World, planted: Planted) -> None:
    """Metrics and readiness have no labels from request data (IN-09)."""
    places = {}
    for replica in world.stack.layout.replicas:
        for path in ("/metrics", "/readyz"):
            answer = await world.http.get(f"http://127.0.0.1:{replica.internal_port}{path}")
            places[f"{replica.name}{path}"] = answer.text

    assert _leaks(planted.everything(), places) == []
    assert all(len(re.findall(r"(?m)^[^#]", text)) < 400 for text in places.values())


async def test_responses_repeat_no_secrets(planted: Planted) -> None:
    """Errors, pages, headers and redirects repeat no secret that the client sent (IN-09, MG-19)."""
    places = {
        f"{answer.request.method} {answer.request.url.path} {number}": f"{answer.headers} {answer.text}"
        for number, answer in enumerate(planted.answers)
    }

    assert _leaks(planted.everything(), places) == []


async def test_stored_data_contains_no_credentials(world: World, planted: Planted) -> None:
    """The servers' files hold fingerprints and no usable credentials."""
    data = world.stack.options.data
    # MongoDB's files are compressed; their content is checked where it is written (services/users).
    files = [path for part in ("redis", "nats", "mail") for path in (data / part).rglob("*")]
    # The servers' configuration contains their credentials and is private (see test_secrets).
    kept = [path for path in files if path.suffix not in (".conf", ".key", ".acl")]
    used = {what: value for what, value in planted.everything().items() if " password of " not in what}

    assert _leaks(used, await asyncio.to_thread(_texts, kept)) == []
