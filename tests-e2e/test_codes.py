from __future__ import annotations

import httpx
import pytest
from portico_scenarios.participants import ALICE, OTHER_REDIRECT
from portico_scenarios.relying_party import userinfo
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e


def _refused(answer: httpx.Response, error: str) -> None:
    assert answer.status_code == (401 if error == "invalid_client" else 400), answer.text
    assert answer.json()["error"] == error
    assert set(answer.json()) <= {"error", "error_description"}
    assert "no-store" in answer.headers["cache-control"]


@pytest.mark.parametrize("name", ["basic", "jwt"])
async def test_reused_code_revokes_its_tokens(world: World, name: str) -> None:
    """Reuse of a code is refused with invalid_grant and revokes the tokens of the first use, JWTs as well (TK-03)."""
    begun, code = await world.code_of(ALICE, name)
    first = await world.redeem(name, code, code_verifier=begun.verifier)
    token = first.json()["access_token"]
    assert (await userinfo(world.http, world.metadata, token)).status_code == 200

    second = await world.redeem(name, code, code_verifier=begun.verifier)
    after = await userinfo(world.http, world.metadata, token)

    _refused(second, "invalid_grant")
    assert after.status_code == 401
    assert 'error="invalid_token"' in after.headers["www-authenticate"]


WRONG: dict[str, tuple[dict[str, str | None], str]] = {
    "verifier": ({"code_verifier": "x" * 43}, "invalid_grant"),
    "no verifier": ({"code_verifier": None}, "invalid_request"),
    "empty verifier": ({"code_verifier": ""}, "invalid_request"),
    "other redirect_uri": ({"redirect_uri": OTHER_REDIRECT}, "invalid_grant"),
    "no redirect_uri": ({"redirect_uri": None}, "invalid_request"),
}


async def test_refused_attempts_do_not_use_up_the_code(world: World) -> None:
    """A wrong verifier, redirect URI, client or secret is refused, and the code still works (TK-05, TK-08)."""
    begun, code = await world.code_of(ALICE, "basic")
    client, verifier = world.clients["basic"], begun.verifier
    flipped = code[:-1] + ("A" if code[-1] != "A" else "B")
    answers = {
        what: (await world.redeem("basic", code, **{"code_verifier": verifier, **changes}), error)
        for what, (changes, error) in WRONG.items()
    }
    for changed in (code[:-1], flipped, code + "A", code.swapcase()):
        answers[changed] = (await world.redeem("basic", changed, code_verifier=verifier), "invalid_grant")
    foreign = await world.redeem("post", code, code_verifier=verifier, redirect_uri=client.redirect_uri)
    answers["another client"] = (foreign, "invalid_grant")
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": client.redirect_uri,
        "code_verifier": verifier,
    }
    sent = {**form, "client_id": client.client_id}
    answers["only the id"] = (await world.http.post(world.metadata["token_endpoint"], data=sent), "invalid_client")
    wrong_secret = await world.http.post(world.metadata["token_endpoint"], data=form, auth=("e2e-basic", "wrong"))
    answers["wrong secret"] = (wrong_secret, "invalid_client")
    right = await world.redeem("basic", code, code_verifier=verifier)

    for answer, error in answers.values():
        _refused(answer, error)
    assert wrong_secret.headers["www-authenticate"].startswith("Basic ")
    assert right.status_code == 200, right.text


async def test_changed_access_token_is_refused(world: World) -> None:
    """A shortened, extended or missing token gets 401 with a Bearer challenge (JW-14, RFC 6750 §3)."""
    token = (await world.tokens_of(ALICE, "basic"))["access_token"]
    answers = [
        await userinfo(world.http, world.metadata, changed) for changed in (token[:-1], token + "A", "x", "a.b.c", "-")
    ]
    missing = await world.http.get(world.metadata["userinfo_endpoint"])

    assert [answer.status_code for answer in (*answers, missing)] == [401] * 6
    assert missing.headers["www-authenticate"].startswith("Bearer")
    assert all(answer.headers["www-authenticate"].startswith('Bearer error="invalid_token"') for answer in answers)
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}
