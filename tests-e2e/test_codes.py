"""An authorization code is for one client, one address, one verifier, and for once."""

from __future__ import annotations

import httpx
import pytest
from portico_journeys.participants import ALICE, OTHER_REDIRECT
from portico_journeys.relying_party import userinfo
from portico_journeys.world import World

pytestmark = pytest.mark.e2e


def _refused(answer: httpx.Response, error: str) -> None:
    assert answer.status_code == (401 if error == "invalid_client" else 400), answer.text
    assert answer.json()["error"] == error
    assert set(answer.json()) <= {"error", "error_description"}
    assert "no-store" in answer.headers["cache-control"]


@pytest.mark.parametrize("name", ["basic", "jwt"])
async def test_code_used_twice_is_refused_and_ends_what_it_gave(world: World, name: str) -> None:
    """The second use is invalid_grant, and the tokens of the first use die, JWTs as well (TK-03)."""
    begun, code = await world.code_of(ALICE, name)
    first = await world.redeem(name, code, code_verifier=begun.verifier)
    token = first.json()["access_token"]
    assert (await userinfo(world.http, world.metadata, token)).status_code == 200

    second = await world.redeem(name, code, code_verifier=begun.verifier)
    after = await userinfo(world.http, world.metadata, token)

    _refused(second, "invalid_grant")
    assert after.status_code == 401
    assert 'error="invalid_token"' in after.headers["www-authenticate"]


WRONG = {
    "verifier": ({"code_verifier": "x" * 43}, "invalid_grant"),
    "no verifier": ({"code_verifier": None}, "invalid_request"),
    "empty verifier": ({"code_verifier": ""}, "invalid_request"),
    "other redirect_uri": ({"redirect_uri": OTHER_REDIRECT}, "invalid_grant"),
    "no redirect_uri": ({"redirect_uri": None}, "invalid_request"),
}


@pytest.mark.parametrize(("changes", "error"), WRONG.values(), ids=WRONG.keys())
async def test_wrong_proof_is_refused_and_does_not_spend_the_code(
    world: World, changes: dict[str, str | None], error: str
) -> None:
    """A wrong or missing verifier or address is refused, and the right one still works after (TK-06, TK-08)."""
    begun, code = await world.code_of(ALICE, "basic")
    wrong = await world.redeem("basic", code, **{"code_verifier": begun.verifier, **changes})
    right = await world.redeem("basic", code, code_verifier=begun.verifier)

    _refused(wrong, error)
    assert right.status_code == 200, right.text


async def test_code_of_another_client_is_refused(world: World) -> None:
    """A code is bound to its client; the attempt of another one does not spend it (TK-05)."""
    begun, code = await world.code_of(ALICE, "basic")
    mine = world.clients["basic"].redirect_uri
    foreign = await world.redeem("post", code, code_verifier=begun.verifier, redirect_uri=mine)
    right = await world.redeem("basic", code, code_verifier=begun.verifier)

    _refused(foreign, "invalid_grant")
    assert right.status_code == 200


async def test_wrong_secret_is_refused_and_does_not_spend_the_code(world: World) -> None:
    """Client authentication comes first: 401 with WWW-Authenticate where Basic was tried (TK-16, TK-17)."""
    begun, code = await world.code_of(ALICE, "basic")
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": world.clients["basic"].redirect_uri,
        "code_verifier": begun.verifier,
    }
    wrong = await world.http.post(world.metadata["token_endpoint"], data=form, auth=("e2e-basic", "wrong"))
    right = await world.redeem("basic", code, code_verifier=begun.verifier)

    _refused(wrong, "invalid_client")
    assert wrong.headers["www-authenticate"].startswith("Basic ")
    assert right.status_code == 200


async def test_client_must_authenticate_as_it_is_registered(world: World) -> None:
    """The secret in the body of a client registered for the header, and no secret at all: invalid_client (TK-16)."""
    begun, code = await world.code_of(ALICE, "basic")
    client = world.clients["basic"]
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": client.redirect_uri,
        "code_verifier": begun.verifier,
        "client_id": client.client_id,
    }
    in_body = await world.http.post(
        world.metadata["token_endpoint"], data={**form, "client_secret": client.secret}
    )  # fmt: skip
    without = await world.http.post(world.metadata["token_endpoint"], data=form)

    _refused(in_body, "invalid_client")
    _refused(without, "invalid_client")


@pytest.mark.parametrize("change", ["cut", "flipped", "longer", "case"])
async def test_changed_code_is_refused(world: World, change: str) -> None:
    """A code is compared whole: any change makes it unknown, and does not spend it (JW-14)."""
    begun, code = await world.code_of(ALICE, "basic")
    changed = {
        "cut": code[:-1],
        "flipped": code[:-1] + ("A" if code[-1] != "A" else "B"),
        "longer": code + "A",
        "case": code.swapcase(),
    }[change]
    wrong = await world.redeem("basic", changed, code_verifier=begun.verifier)
    right = await world.redeem("basic", code, code_verifier=begun.verifier)

    _refused(wrong, "invalid_grant")
    assert right.status_code == 200


@pytest.mark.parametrize(
    ("grant_type", "error"),
    [("password", "unsupported_grant_type"), ("AUTHORIZATION_CODE", "unsupported_grant_type"), ("", "invalid_request")],
)
async def test_grant_type_must_be_one_of_the_table(world: World, grant_type: str, error: str) -> None:
    """Grant types are compared exactly; an empty one counts as missing (TK-19)."""
    answer = await world.redeem("basic", "no-code", grant_type=grant_type)

    _refused(answer, error)


async def test_access_token_that_was_changed_is_refused(world: World) -> None:
    """Userinfo knows whole tokens only: a cut, longer or missing one is 401 with WWW-Authenticate (JW-14)."""
    token = (await world.tokens_of(ALICE, "basic"))["access_token"]
    answers = [await userinfo(world.http, world.metadata, changed) for changed in (token[:-1], token + "A", "x")]
    answers.append(await world.http.get(world.metadata["userinfo_endpoint"]))

    assert [answer.status_code for answer in answers] == [401] * 4
    assert all(answer.headers["www-authenticate"].startswith("Bearer") for answer in answers)
