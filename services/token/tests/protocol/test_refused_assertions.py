"""Requests for assertions that no rule or token allows are refused alike (decision 0153)."""

from __future__ import annotations

import base64
import json

import pytest
from portico_contracts.users import AssertionRefusal, AssertionRequested, AuthMethod, TokenLifetimes
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import USER, TokenService
from portico_oauth.grant_types import TOKEN_EXCHANGE
from portico_oauth.jose import SigningKey
from portico_token import id_token_reader
from portico_token.store.redis_grants import MARK_SECONDS

from .assertion_requests import (
    CHAT,
    GRANTS,
    ID_TOKEN,
    JAG,
    MCP,
    OF_REFRESH,
    ask,
    error_of,
    last_refused,
    offering,
    refusal,
    signed_in,
)


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    return offering(token_service)


@pytest.mark.parametrize("kind", ["access_token", "refresh", "logout", "garbage", "empty", "long"])
async def test_other_text_is_refused_like_a_foreign_token(service: TokenService, kind: str) -> None:
    """Each kind of token is accepted only where it belongs; the answer shows nothing."""
    tokens, foreign = await signed_in(service), await signed_in(service, "other")
    texts = {
        "access_token": tokens["access_token"],
        "refresh": tokens["refresh_token"],
        "logout": claimless(tokens["id_token"]),
        "garbage": "a.b.c",
        "empty": "..",
        "long": "x" * 20_000,
    }

    assert await refusal(service, texts[kind]) == await refusal(service, foreign["id_token"])


def claimless(text: str) -> str:
    head, _, tail = text.split(".")
    return f"{head}.e30.{tail}"


async def test_forged_id_token_is_refused(service: TokenService) -> None:
    """The signature covers the user: the id_token of one user does not name another one."""
    head, payload, tail = (await signed_in(service))["id_token"].split(".")
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    forged = base64.urlsafe_b64encode(json.dumps({**claims, "sub": "user-2"}).encode()).decode().rstrip("=")

    assert error_of(await ask(service, f"{head}.{forged}.{tail}")) == (400, "invalid_grant", "TOKEN-332")


@pytest.mark.parametrize("typ", ["at+jwt", "logout+jwt", "oauth-id-jag+jwt"])
async def test_type_decides_and_not_the_claims(
    service: TokenService, signing_keys: tuple[SigningKey, ...], typ: str
) -> None:
    """Another kind of token is refused, also if it has all claims of an id_token and our signature."""
    _, payload, _ = (await signed_in(service))["id_token"].split(".")
    content = base64.urlsafe_b64decode(payload + "==")
    key = next(one for one in signing_keys if one.alg == "ES256")
    good, other = key.sign(content, typ="JWT"), key.sign(content, typ=typ)

    assert (await ask(service, good)).status_code == 200
    assert error_of(await ask(service, other)) == (400, "invalid_grant", "TOKEN-332")


async def test_expired_id_token_is_refused(service: TokenService, clock: FrozenClock) -> None:
    """The lifetime of the id_token is a limit, also where it is shorter than an hour."""
    lifetimes = TokenLifetimes(
        access_token_seconds=600, id_token_seconds=10, refresh_idle_seconds=600, refresh_seconds=600
    )
    service.register("assistant", grant_types=GRANTS, lifetimes=lifetimes)
    tokens = await signed_in(service)
    clock.tick(10)

    assert error_of(await ask(service, tokens["id_token"])) == (400, "invalid_grant", "TOKEN-332")


async def test_assertion_is_no_subject_token(service: TokenService) -> None:
    """An assertion has another type than an id_token, also where its claims would do."""
    tokens = await signed_in(service)
    assertion = (await ask(service, tokens["id_token"])).json()["access_token"]

    assert error_of(await ask(service, assertion)) == (400, "invalid_grant", "TOKEN-332")


async def test_foreign_id_token_is_refused(service: TokenService) -> None:
    """The id_token must have been issued to the asking client: another one could act for all who sign in to it."""
    foreign = await signed_in(service, "other")

    assert error_of(await ask(service, foreign["id_token"])) == (400, "invalid_grant", "TOKEN-332")


async def test_foreign_refresh_token_is_refused(service: TokenService) -> None:
    """A refresh token is bound to its client here as in a refresh."""
    foreign = await signed_in(service, "other")

    assert error_of(await ask(service, foreign["refresh_token"], OF_REFRESH)) == (400, "invalid_grant", "TOKEN-332")


async def test_ended_session_is_refused(service: TokenService) -> None:
    """After the sign-out the id_token gives nothing, though it has not expired."""
    tokens = await signed_in(service)
    service.authz.sessions.clear()

    assert error_of(await ask(service, tokens["id_token"])) == (400, "invalid_grant", "TOKEN-332")


async def test_id_token_without_a_session_is_refused(service: TokenService) -> None:
    """Without a session there is nothing that a sign-out would end."""
    tokens = await signed_in(service, session_id="")
    service.authz.sessions.add("")

    assert error_of(await ask(service, tokens["id_token"])) == (400, "invalid_grant", "TOKEN-332")


async def test_access_that_was_ended_is_refused(service: TokenService, clock: FrozenClock) -> None:
    """Ending the access of an application, such as an agent, counts for the id_tokens that it has; not for new ones."""
    tokens = await signed_in(service)
    clock.tick(3)
    await service.parts.grants.revoke_client(USER, "assistant")  # type: ignore[union-attr]
    ended = await ask(service, tokens["id_token"])
    clock.tick(3)
    again = await ask(service, (await signed_in(service))["id_token"])

    assert error_of(ended) == (400, "invalid_grant", "TOKEN-332")
    assert again.status_code == 200


async def test_old_id_token_is_refused(service: TokenService, clock: FrozenClock, bus: MemoryBus) -> None:
    """An id_token is too old before the store forgets that access was ended, by a minute in which clocks may differ."""
    tokens = await signed_in(service)
    assert id_token_reader.OLDEST == MARK_SECONDS - 60
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(id_token_reader, "OLDEST", 20)  # the lease of the signing keys ends before an hour has passed
        clock.tick(20)
        in_time = await ask(service, tokens["id_token"])
        clock.tick(1)
        late = await ask(service, tokens["id_token"])

    assert in_time.status_code == 200
    assert error_of(late) == (400, "invalid_grant", "TOKEN-332")


@pytest.mark.parametrize(
    ("refused", "expected"),
    [
        (AssertionRefusal.AUDIENCE, (400, "invalid_target", "TOKEN-330")),
        (AssertionRefusal.RESOURCE, (400, "invalid_target", "TOKEN-330")),
        (AssertionRefusal.SCOPE, (400, "invalid_scope", "TOKEN-331")),
        (AssertionRefusal.USER, (400, "invalid_grant", "TOKEN-332")),
    ],
)
async def test_refusal_of_the_rule_has_its_error(
    service: TokenService, refused: AssertionRefusal, expected: tuple[int, str, str]
) -> None:
    """An unknown server, a foreign one and a foreign resource look alike, and so do all reasons in the user."""
    tokens = await signed_in(service)
    service.users.assertion = AssertionRequested(refusal=refused, wanted=("something",))
    answer = await ask(service, tokens["id_token"])

    assert error_of(answer) == expected
    assert "something" not in answer.text


async def test_uncovered_user_looks_like_a_wrong_token(service: TokenService) -> None:
    """Requests do not show whom a rule covers, nor who is active."""
    tokens, foreign = await signed_in(service), await signed_in(service, "other")
    wrong = await refusal(service, foreign["id_token"])
    service.users.assertion = AssertionRequested(refusal=AssertionRefusal.USER)

    assert await refusal(service, tokens["id_token"]) == wrong


async def test_without_outside_servers_nothing_changes(service: TokenService, grants: MemoryGrants) -> None:
    """Off by default: the type is not supported, and a used refresh token is not looked at."""
    tokens = await signed_in(service)
    await service.refresh(tokens["refresh_token"], "assistant")
    service.users.assertion = AssertionRequested(refusal=AssertionRefusal.NOT_OFFERED)
    answers = [await ask(service, tokens["id_token"]), await ask(service, tokens["refresh_token"], OF_REFRESH)]

    assert [error_of(one) for one in answers] == [(400, "invalid_request", "TOKEN-276")] * 2
    assert len(grants.held) == 1


@pytest.mark.parametrize("audience", ["", "chat", "/chat", "https://auth.chat.example#x"])
async def test_audience_is_a_uri(service: TokenService, audience: str) -> None:
    """What cannot be an issuer is answered like an unknown one."""
    tokens = await signed_in(service)

    assert error_of(await ask(service, tokens["id_token"], audience=audience)) == (400, "invalid_target", "TOKEN-330")


@pytest.mark.parametrize("name", ["actor_token", "actor_token_type", "authorization_details"])
async def test_unsupported_parameter_is_refused(service: TokenService, name: str) -> None:
    """An assertion without what the client requested would state something else."""
    tokens = await signed_in(service)

    assert error_of(await ask(service, tokens["id_token"], ID_TOKEN, None, **{name: "x"}))[2] == "TOKEN-277"


async def test_public_client_is_refused(service: TokenService) -> None:
    """An id_token that leaks is not enough: public clients get no assertions."""
    service.register("public", AuthMethod.NONE, grant_types=GRANTS)
    answer = await service.token(
        {
            "grant_type": TOKEN_EXCHANGE,
            "client_id": "public",
            "requested_token_type": JAG,
            "subject_token": "x",
            "subject_token_type": ID_TOKEN,
            "audience": CHAT,
        }
    )

    assert answer.status_code == 401
    assert answer.json()["error"] == "invalid_client"


async def test_client_without_token_exchange_is_refused(service: TokenService) -> None:
    """The grant type has to be enabled for the application."""
    service.register("assistant", grant_types=GRANTS[:2])
    tokens = await signed_in(service)

    assert error_of(await ask(service, tokens["id_token"]))[1] == "unauthorized_client"


async def test_user_who_may_not_use_the_application_is_refused(service: TokenService) -> None:
    """The access checks of the project hold here, too."""
    tokens = await signed_in(service)
    service.register("assistant", grant_types=GRANTS, checks_roles=True)
    await service.publish_app_changed()

    assert error_of(await ask(service, tokens["id_token"])) == (400, "invalid_grant", "TOKEN-332")


async def test_refusal_asks_nobody(service: TokenService) -> None:
    """A denial is an error and nothing else: no address to send the user to, and nothing stored for later."""
    tokens = await signed_in(service)
    service.users.assertion = AssertionRequested(refusal=AssertionRefusal.USER)
    answer = await ask(service, tokens["id_token"])

    assert set(answer.json()) <= {"error", "error_description", "error_uri"}
    assert "location" not in answer.headers


@pytest.mark.parametrize(
    ("refused", "expected"),
    [
        (AssertionRefusal.AUDIENCE, ("TOKEN-330", "grant", CHAT, "unknown")),
        (AssertionRefusal.RESOURCE, ("TOKEN-330", "resource", MCP, "not_allowed")),
        (AssertionRefusal.SCOPE, ("TOKEN-331", "scope", "(22 characters)", "not_allowed")),
        (AssertionRefusal.USER, ("TOKEN-332", "grant", "", "not_allowed")),
    ],
)
async def test_diagnostics_name_the_condition(
    service: TokenService, refused: AssertionRefusal, expected: tuple[str, str, str, str]
) -> None:
    """An administrator sees what failed, and what the rule has; the application does not."""
    tokens = await signed_in(service)
    service.users.assertion = AssertionRequested(refusal=refused, wanted=("of the rule",))
    await ask(service, tokens["id_token"])
    trace, check = await last_refused(service)

    assert (trace.error_id, check.name, check.given, check.hint) == expected
    assert check.wanted == ("of the rule",)


async def test_diagnostics_name_the_fault_of_the_id_token(service: TokenService) -> None:
    """What is alike for the application is distinguished for its administrators."""
    foreign = await signed_in(service, "other")
    tokens = await signed_in(service)
    service.authz.sessions.clear()
    found = []
    for text in (foreign["id_token"], tokens["id_token"], "x"):
        await ask(service, text)
        _, check = await last_refused(service)
        found.append((check.hint, check.wanted))

    assert found == [
        ("other_client", ("an id_token of this application",)),
        ("expired", ("a session that has not ended",)),
        ("malformed", ("an id_token of this application",)),
    ]
