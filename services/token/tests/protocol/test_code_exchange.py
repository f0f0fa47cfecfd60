"""authorization_code at the token endpoint (RFC 6749 §4.1.3, RFC 7636 §4.5)."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest
from portico_contracts.authz import REDEEM_CODE, CodeRedeemed, RedeemCode
from portico_contracts.events import GRANT_COMPROMISED
from portico_contracts.users import AuthMethod
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import CALLBACK, SECRET, USER, TokenService
from portico_harness.rows import row
from portico_oauth.pkce import challenge_of

VERIFIER = "v" * 43


async def test_missing_parameter_keeps_the_code(token_service: TokenService) -> None:
    """Code and redirect_uri are required, and an empty value counts as absent (TK-08)."""
    for how in ("absent", "empty"):
        for missing in ("code", "redirect_uri"):
            with row(how, missing):
                code = token_service.issue_code("web")
                form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, missing: ""}
                if how == "absent":
                    del form[missing]

                answer = await token_service.token(form, basic=("web", SECRET))

                assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
                assert (await token_service.redeem(code, "web")).status_code == 200


WRONG_URIS: list[str] = [CALLBACK + "/", CALLBACK.upper(), "https://app.example.test/other", CALLBACK + "?a=b"]


async def test_wrong_redirect_uri_keeps_the_code(token_service: TokenService) -> None:
    """The redirect_uri must equal that of the authorization request (TK-08)."""
    for uri in WRONG_URIS:
        with row(uri):
            code = token_service.issue_code("web")

            answer = await token_service.redeem(code, "web", redirect_uri=uri)

            assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
            assert (await token_service.redeem(code, "web")).status_code == 200


@pytest.mark.parametrize("left", [("https://app.example.test/other",), (), (CALLBACK + "/",)])
async def test_removed_redirect_uri_is_refused(
    token_service: TokenService, grants: MemoryGrants, left: tuple[str, ...]
) -> None:
    """A redirect URI removed before redemption is refused, no token is issued, and the code is consumed (AZ-01,
    TK-08).
    """
    code = token_service.issue_code("web")
    token_service.register("web", redirect_uris=left)
    await token_service.publish_app_changed()
    removed = await token_service.redeem(code, "web")
    issued = dict(grants.held)
    token_service.register("web")
    await token_service.publish_app_changed()
    again = await token_service.redeem(code, "web")

    assert (removed.status_code, removed.json()) == (
        400,
        {"error": "invalid_grant", "error_description": "The redirect_uri is no longer registered."},
    )
    assert issued == {}
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert (await token_service.redeem(token_service.issue_code("web"), "web")).status_code == 200


async def test_http_redirect_uri_is_refused_after_dev_mode(token_service: TokenService) -> None:
    """A code sent over plain http is refused once the application has left development mode (AZ-06)."""
    plain = "http://app.example.test/cb"
    token_service.register("web", redirect_uris=(plain,), dev_mode=True)
    statuses = []
    for dev_mode in (True, False):
        code = token_service.issue_code("web")
        issued = token_service.authz.codes[code]
        token_service.authz.codes[code] = replace(issued, redirect_uri=plain)
        token_service.register("web", redirect_uris=(plain,), dev_mode=dev_mode)
        await token_service.publish_app_changed()
        statuses.append((await token_service.redeem(code, "web", redirect_uri=plain)).status_code)

    assert statuses == [200, 400]


async def test_code_sent_to_another_loopback_port_is_redeemed(token_service: TokenService) -> None:
    """The port is compared with that of the authorization request, not with the registered one (RFC 8252 section 7.3)."""
    used = "http://127.0.0.1:50123/cb"
    token_service.register("web", redirect_uris=("http://127.0.0.1/cb",), any_loopback_port=True)
    code = token_service.issue_code("web")
    token_service.authz.codes[code] = replace(token_service.authz.codes[code], redirect_uri=used)

    assert (await token_service.redeem(code, "web", redirect_uri=used)).status_code == 200


async def test_code_sent_to_a_scheme_without_a_dot_is_redeemed(token_service: TokenService) -> None:
    """Only while the application may use such schemes (decision 0111)."""
    uri = "cursor://app/callback"
    for plain_schemes, status in ((True, 200), (False, 400)):
        client_id = f"app-{plain_schemes}"
        token_service.register(client_id, redirect_uris=(uri,), plain_schemes=plain_schemes)
        code = token_service.issue_code(client_id)
        token_service.authz.codes[code] = replace(token_service.authz.codes[code], redirect_uri=uri)

        assert (await token_service.redeem(code, client_id, redirect_uri=uri)).status_code == status


async def test_used_code_with_removed_redirect_uri_ends_its_grant(token_service: TokenService) -> None:
    """Reuse is detected and revokes the grant of the first use (TK-03)."""
    code = token_service.issue_code("web")
    first = (await token_service.redeem(code, "web")).json()
    token_service.register("web", redirect_uris=())
    await token_service.publish_app_changed()
    again = await token_service.redeem(code, "web")

    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert (await token_service.userinfo(first["access_token"])).status_code == 401


@pytest.mark.parametrize("verifier", ["", VERIFIER])
async def test_another_clients_code_is_refused(token_service: TokenService, verifier: str) -> None:
    """A code is bound to its client with and without a valid verifier, and stays valid for that client (TK-05)."""
    token_service.register("other")
    code = token_service.issue_code("web", challenge=challenge_of(verifier) if verifier else "")
    form = {"code_verifier": verifier} if verifier else {}

    answer = await token_service.redeem(code, "other", **form)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
    assert (await token_service.redeem(code, "web", **form)).status_code == 200


async def test_grant_of_another_client_is_refused(token_service: TokenService, bus: MemoryBus) -> None:
    """Token compares the client of the grant itself, whatever authz returned (TK-05)."""
    token_service.register("other")
    grant = token_service.authz.codes[token_service.issue_code("web")].grant

    async def confused(_request_lease: RedeemCode) -> CodeRedeemed:
        return CodeRedeemed(grant=grant)

    bus.respond(REDEEM_CODE, confused)

    answer = await token_service.redeem("any", "other")

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


WRONG_VERIFIERS: list[tuple[str, str, str]] = [
    (challenge_of(VERIFIER), "", "invalid_request"),
    ("", VERIFIER, "invalid_request"),
    (challenge_of(VERIFIER), "w" * 43, "invalid_grant"),
    (challenge_of(VERIFIER), "v" * 42, "invalid_request"),
    (challenge_of(VERIFIER), "v" * 129, "invalid_request"),
    (challenge_of(VERIFIER), "v" * 42 + "+", "invalid_request"),
    (challenge_of(VERIFIER), "v" * 42 + "é", "invalid_request"),
    (challenge_of(VERIFIER), VERIFIER + "\n", "invalid_request"),
]


async def test_pkce_cannot_be_omitted_or_guessed(token_service: TokenService) -> None:
    """A challenge needs its verifier, a verifier its challenge, and both must be well-formed (TK-06)."""
    for challenge, verifier, error in WRONG_VERIFIERS:
        with row(challenge, verifier, error):
            code = token_service.issue_code("web", challenge=challenge)

            answer = await token_service.redeem(code, "web", code_verifier=verifier)

            assert (answer.status_code, answer.json()["error"]) == (400, error)


async def test_public_client_must_use_pkce(token_service: TokenService) -> None:
    """Without a verifier a client of method none gets no token, whatever its code was bound to (TK-06)."""
    token_service.register("spa", AuthMethod.NONE)
    code = token_service.issue_code("spa")
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "client_id": "spa"}

    answer = await token_service.token(form)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


async def test_public_client_redeems_with_its_verifier(token_service: TokenService) -> None:
    token_service.register("spa", AuthMethod.NONE)
    code = token_service.issue_code("spa", challenge=challenge_of(VERIFIER))
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "client_id": "spa"}

    answer = await token_service.token({**form, "code_verifier": VERIFIER})

    assert answer.status_code == 200


async def test_response_members_are_exact(token_service: TokenService) -> None:
    """There is no refresh_token and no null, expires_in is an integer, and no-store is set (TK-20, TK-21)."""
    code = token_service.issue_code("web", scope=("openid", "email", "offline_access"))

    answer = await token_service.redeem(code, "web", scope="openid profile", unknown="ignored")
    body = answer.json()

    assert set(body) == {"access_token", "token_type", "expires_in", "scope", "id_token"}
    assert (body["token_type"], body["expires_in"], body["scope"]) == ("Bearer", 3600, "openid email")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["pragma"] == "no-cache"
    assert answer.headers["content-type"] == "application/json"


async def test_used_code_revokes_its_grant(token_service: TokenService, bus: MemoryBus) -> None:
    """Reuse by the right client is invalid_grant, revokes the first tokens, and publishes one event (TK-03)."""
    code = token_service.issue_code("web")
    token = (await token_service.redeem(code, "web")).json()["access_token"]

    again = [await token_service.redeem(code, "web") for _ in range(2)]

    assert [(answer.status_code, answer.json()["error"]) for answer in again] == [(400, "invalid_grant")] * 2
    assert (await token_service.userinfo(token)).status_code == 401
    assert [subject for subject, _body in bus.published].count(GRANT_COMPROMISED.subject) == 1


async def test_used_code_revokes_its_grant_without_the_event(token_service: TokenService, bus: MemoryBus) -> None:
    code = token_service.issue_code("web")
    token = (await token_service.redeem(code, "web")).json()["access_token"]
    bus.stream_down = True

    again = await token_service.redeem(code, "web")

    assert again.json()["error"] == "invalid_grant"
    assert (await token_service.userinfo(token)).status_code == 401


async def test_one_of_many_redemptions_wins_and_is_revoked(token_service: TokenService) -> None:
    """Of 200 concurrent redemptions one is 200, the others are invalid_grant, and no token stays active (TK-01,
    TK-03).
    """
    code = token_service.issue_code("web")

    answers = await asyncio.gather(*(token_service.redeem(code, "web") for _ in range(200)))
    token = next(answer.json()["access_token"] for answer in answers if answer.status_code == 200)

    assert Counter(answer.status_code for answer in answers) == {200: 1, 400: 199}
    assert {answer.json()["error"] for answer in answers if answer.status_code == 400} == {"invalid_grant"}
    assert (await token_service.userinfo(token)).status_code == 401


async def test_loser_faster_than_the_winner_revokes_its_tokens(
    token_service: TokenService, grants: MemoryGrants
) -> None:
    """If the grant was revoked before it was saved, the winner gets inactive tokens (TK-03)."""
    code = token_service.issue_code("web")
    await grants.revoke(token_service.authz.codes[code].grant.grant_id)

    answer = await token_service.redeem(code, "web")

    assert answer.status_code == 200
    assert (await token_service.userinfo(answer.json()["access_token"])).status_code == 401


async def test_inactive_user_gets_no_tokens(token_service: TokenService) -> None:
    """A user deleted, locked or deactivated since the sign-in is an invalid_grant (TK-11)."""
    code = token_service.issue_code("web")
    del token_service.users.people[USER]

    answer = await token_service.redeem(code, "web")

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


async def test_code_of_an_ended_session_gives_no_tokens(token_service: TokenService, grants: MemoryGrants) -> None:
    code = token_service.issue_code("web", session_id="ended")
    await grants.revoke_session(USER, "ended")

    answer = await token_service.redeem(code, "web")

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


async def test_unavailable_store_is_503(token_service: TokenService, grants: MemoryGrants) -> None:
    """No token is issued that could not be stored, and the error is server_error with Retry-After (P2)."""
    code = token_service.issue_code("web")
    grants.down = True

    answer = await token_service.redeem(code, "web")

    assert (answer.status_code, answer.json()["error"]) == (503, "server_error")
    assert int(answer.headers["retry-after"]) > 0
    assert "access_token" not in answer.json()


async def test_unavailable_bus_is_503_and_keeps_the_code(token_service: TokenService, bus: MemoryBus) -> None:
    code = token_service.issue_code("web")
    bus.down = True
    down = await token_service.redeem(code, "web")
    bus.down = False

    assert (down.status_code, down.json()["error"]) == (503, "server_error")
    assert (await token_service.redeem(code, "web")).status_code == 200
