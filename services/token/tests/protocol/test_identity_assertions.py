"""Identity assertions for outside authorization servers (decision 0153)."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import jwt
import pytest
from portico_contracts import http
from portico_contracts.diagnostics import Diagnostic, DiagnosticCheck
from portico_contracts.users import AssertionRefusal, AssertionRequested, AuthMethod, Dpop, TokenLifetimes
from portico_fakes.clock import FrozenClock
from portico_fakes.dpop_proofs import Prover
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import ISSUER, SECRET, USER, TokenService
from portico_oauth.grant_types import AUTHORIZATION_CODE, REFRESH_TOKEN, TOKEN_EXCHANGE
from portico_oauth.jose import SigningKey
from portico_token import id_token_reader
from portico_token.grants.identity_assertion import ASSERTION_REFUSED, ASSERTION_SCOPE, ASSERTION_TARGET
from portico_token.grants.token_exchange import UNSUPPORTED_PARAMETER, UNSUPPORTED_TOKEN_TYPE

from .test_diagnostics import diagnostics_of

JAG = "urn:ietf:params:oauth:token-type:id-jag"
ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token"
OF_REFRESH = "urn:ietf:params:oauth:token-type:refresh_token"
CHAT = "https://auth.chat.example"
MCP = "https://mcp.chat.example"
GIVEN = AssertionRequested(audience=CHAT, client_id="assistant-at-chat", resources=(MCP,), scope=("chat.read",))
CODES = (ASSERTION_TARGET, ASSERTION_SCOPE, ASSERTION_REFUSED, UNSUPPORTED_TOKEN_TYPE, UNSUPPORTED_PARAMETER)
IDS = {code.text: code.id for code in CODES}
GRANTS = (AUTHORIZATION_CODE, REFRESH_TOKEN, TOKEN_EXCHANGE)


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    token_service.register("assistant", grant_types=GRANTS)
    token_service.register("other", grant_types=GRANTS)
    token_service.users.assertion = GIVEN
    return token_service


async def signed_in(service: TokenService, client: str = "assistant", **fields: Any) -> dict[str, Any]:
    answer = await service.redeem(service.issue_code(client, scope=("openid", "offline_access"), **fields), client)
    assert answer.status_code == 200, answer.text
    tokens: dict[str, Any] = answer.json()
    return tokens


async def ask(
    service: TokenService, subject: str, kind: str = ID_TOKEN, /, headers: dict[str, str] | None = None, **form: str
) -> Any:
    wanted = {"audience": CHAT, "resource": MCP, "scope": "chat.read chat.history", **form}
    members = {"requested_token_type": JAG, "subject_token": subject, "subject_token_type": kind, **wanted}
    exchange = {"grant_type": TOKEN_EXCHANGE, **members}
    return await service.token(exchange, basic=("assistant", SECRET), headers=headers or {})


def claims_of(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    claims: dict[str, Any] = jwt.decode(answer.json()["access_token"], options={"verify_signature": False})
    return claims


async def refusal(service: TokenService, subject: str, kind: str = ID_TOKEN) -> tuple[int, bytes]:
    answer = await ask(service, subject, kind)
    return answer.status_code, answer.content.replace(answer.headers["x-request-id"].encode(), b"")


async def last_refused(service: TokenService) -> tuple[Diagnostic, DiagnosticCheck]:
    trace = [one for one in await diagnostics_of(service) if one.outcome == "refused"][-1]
    return trace, trace.checks[-1]


def error_of(answer: Any) -> tuple[int, str, str]:
    body = answer.json()
    return answer.status_code, body["error"], IDS.get(body["error_description"], "")


async def test_assertion_has_what_the_draft_names(
    service: TokenService, clock: FrozenClock, signing_keys: tuple[SigningKey, ...]
) -> None:
    """An assertion is a JWT of its own type for one audience and one client there, which ends after five minutes."""
    tokens = await signed_in(service, acr="urn:portico:acr:2", amr=("pwd", "otp"))
    answer = await ask(service, tokens["id_token"])
    body, now = answer.json(), int(clock.now())
    key = next(one for one in signing_keys if one.alg == "ES256")
    header = jwt.get_unverified_header(body["access_token"])
    claims = jwt.decode(
        body.pop("access_token"), key.private.public_key(), ["ES256"], audience=CHAT, options={"verify_exp": False, "verify_iat": False}
    )  # fmt: skip
    jti = claims.pop("jti")

    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert body == {"issued_token_type": JAG, "token_type": "N_A", "expires_in": 300, "scope": "chat.read"}
    assert header == {"alg": "ES256", "kid": key.kid, "typ": "oauth-id-jag+jwt"}
    assert len(jti) == 22
    assert claims == {
        "iss": ISSUER,
        "sub": USER,
        "aud": CHAT,
        "client_id": "assistant-at-chat",
        "iat": now,
        "exp": now + 300,
        "resource": MCP,
        "scope": "chat.read",
        "auth_time": now - 5,
        "acr": "urn:portico:acr:2",
        "amr": ["pwd", "otp"],
    }


async def test_rule_decides_on_what_was_requested(service: TokenService) -> None:
    """Users gets the request as it was sent, after the user of the id_token is known."""
    tokens = await signed_in(service)
    await ask(service, tokens["id_token"])
    last = service.users.assertions_asked[-1]

    assert (last.client_id, last.user_id, last.audience) == ("assistant", USER, CHAT)
    assert (last.resources, last.scope) == ((MCP,), ("chat.read", "chat.history"))


async def test_several_resources_and_email_are_stated(service: TokenService) -> None:
    """A list names several resources; the address is there only where the rule gives it."""
    tokens = await signed_in(service)
    plain = claims_of(await ask(service, tokens["id_token"]))
    service.users.assertion = AssertionRequested(
        audience=CHAT, client_id="assistant", resources=(MCP, f"{MCP}/two"), email="ada@example.test"
    )
    full = claims_of(await ask(service, tokens["id_token"]))

    assert "email" not in plain
    assert (full["email"], full["resource"]) == ("ada@example.test", [MCP, f"{MCP}/two"])
    assert "scope" not in full


async def test_each_assertion_has_another_id(service: TokenService) -> None:
    """The outside server can accept each of them once."""
    tokens = await signed_in(service)
    ids = {claims_of(await ask(service, tokens["id_token"]))["jti"] for _ in range(3)}

    assert len(ids) == 3


async def test_nothing_is_stored(service: TokenService, grants: MemoryGrants) -> None:
    """An assertion is no grant: it neither adds a token nor changes what the user has."""
    tokens = await signed_in(service)
    before = {id: (one.tokens.copy(), one.refresh) for id, one in grants.held.items()}
    assert (await ask(service, tokens["id_token"])).status_code == 200
    assert (await ask(service, tokens["refresh_token"], OF_REFRESH)).status_code == 200

    assert {id: (one.tokens, one.refresh) for id, one in grants.held.items()} == before


async def test_refresh_token_is_checked_and_not_consumed(service: TokenService) -> None:
    """The same refresh token gives assertions until it is used, and a used one ends its grant as in a refresh."""
    tokens = await signed_in(service)
    given = [claims_of(await ask(service, tokens["refresh_token"], OF_REFRESH)) for _ in range(3)]
    new = (await service.refresh(tokens["refresh_token"], "assistant")).json()
    stolen = error_of(await ask(service, tokens["refresh_token"], OF_REFRESH))
    after = error_of(await ask(service, new["refresh_token"], OF_REFRESH))

    assert {one["sub"] for one in given} == {USER}
    assert (stolen, after) == ((400, "invalid_grant", "TOKEN-332"), (400, "invalid_grant", "TOKEN-332"))


async def test_hook_adds_nothing(service: TokenService) -> None:
    """A token hook adds claims to tokens of this installation, and assertions are none."""
    tokens = await signed_in(service)
    before = len(service.users.hooked)
    await ask(service, tokens["id_token"])

    assert len(service.users.hooked) == before


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
    """An hour after its issue an id_token is too old, whatever its lifetime."""
    tokens = await signed_in(service)
    assert id_token_reader.OLDEST == 3_600
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
    """Nobody can find out by requests whom a rule covers, nor who is active."""
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

    assert error_of(await ask(service, tokens["id_token"], **{name: "x"}))[2] == "TOKEN-277"


async def test_public_client_is_refused(service: TokenService) -> None:
    """Whoever finds an id_token has no secret: public clients get no assertions."""
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


async def test_assertion_is_bound_to_a_proven_key(service: TokenService) -> None:
    """With a DPoP proof the assertion has `cnf`, and its type stays N_A; without one it has none."""
    service.register("assistant", grant_types=GRANTS, dpop=Dpop.ALLOWED)
    tokens, prover = await signed_in(service), Prover(ISSUER, service.clock.now())
    bound = await ask(service, tokens["id_token"], headers=prover.headers(http.TOKEN))
    plain = await ask(service, tokens["id_token"])

    assert claims_of(bound)["cnf"] == {"jkt": prover.jkt}
    assert bound.json()["token_type"] == "N_A"
    assert "cnf" not in claims_of(plain)


async def test_application_with_required_proofs_needs_one(service: TokenService) -> None:
    """What the application demands of its tokens holds for assertions."""
    tokens = await signed_in(service)
    service.register("assistant", grant_types=GRANTS, dpop=Dpop.REQUIRED)
    await service.publish_app_changed()
    answer = await ask(service, tokens["id_token"])

    assert answer.status_code == 400
    assert "access_token" not in answer.json()


async def test_two_hundred_assertions_of_one_refresh_token(service: TokenService) -> None:
    """Requests at the same time neither consume the token nor end its grant."""
    tokens = await signed_in(service)
    answers = await asyncio.gather(
        *(ask(service, tokens["refresh_token"], OF_REFRESH) for _ in range(200)),
        service.refresh(tokens["refresh_token"], "assistant"),
    )
    *given, refreshed = answers
    statuses = {one.status_code for one in given}

    assert refreshed.status_code == 200
    assert statuses <= {200, 400}
    assert given[0].status_code == 200
