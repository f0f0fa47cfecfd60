"""The right secret by a disallowed method is refused with an explanation for its holder."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import product
from types import FrameType
from typing import Any, Final

import httpx
import pytest
from portico_contracts.users import AuthMethod
from portico_fakes.token_service import CALLBACK, SECRET, TokenService, basic_header
from portico_oauth.opaque import fingerprint
from structlog.testing import capture_logs

PLAIN: Final = "Client authentication failed."
PATHS: Final = ("/oauth/v2/token", "/oauth/v2/introspect", "/oauth/v2/revoke")
CASES: Final = (
    # registered, presented, the error_description for the right secret
    (AuthMethod.CLIENT_SECRET_BASIC, "post", "This application authenticates with client_secret_basic."),
    (AuthMethod.CLIENT_SECRET_POST, "basic", "This application authenticates with client_secret_post."),
)


async def ask(
    service: TokenService, path: str, presented: str, secret: str = SECRET, client_id: str = "app"
) -> httpx.Response:
    """Sends a request that is valid except for its authentication."""
    form = {"token": "x"}
    if path == "/oauth/v2/token":
        form = {"grant_type": "authorization_code", "code": service.issue_code("app"), "redirect_uri": CALLBACK}
    headers = {}
    if presented == "basic":
        headers["Authorization"] = basic_header(client_id, secret)
    else:
        form |= {"client_id": client_id, "client_secret": secret}
    return await service.http.post(path, data=form, headers=headers)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("registered", "presented", "description"), CASES)
async def test_registered_method_is_named(
    token_service: TokenService, path: str, registered: AuthMethod, presented: str, description: str
) -> None:
    """A strict application is refused, its error names the registered method, and the log names both (TK-16)."""
    token_service.register("app", registered, strict_auth_method=True)
    with capture_logs() as logs:
        answer = await ask(token_service, path, presented)
    entry = next(entry["private"] for entry in logs if entry["event"] == "refused")

    assert (answer.status_code, answer.json()) == (401, {"error": "invalid_client", "error_description": description})
    assert ("www-authenticate" in answer.headers) == (presented == "basic")
    assert entry == {"client": "app", "used": f"client_secret_{presented}", "registered": registered.value}
    assert SECRET not in str(logs)


WRONG_SECRETS: list[tuple[str, str]] = [("app", "wrong"), ("app", ""), ("unknown", SECRET)]


async def test_only_the_holder_of_the_secret_learns_the_method(token_service: TokenService) -> None:
    """A wrong secret and an unknown client get the generic response (P9)."""
    for path, (registered, presented), (client_id, secret) in product(
        PATHS, [case[:2] for case in CASES], WRONG_SECRETS
    ):
        token_service.register("app", registered, strict_auth_method=True)
        await token_service.publish_app_changed()
        answer = await ask(token_service, path, presented, secret, client_id)
        found = (answer.status_code, answer.json())

        expected = (401, {"error": "invalid_client", "error_description": PLAIN})
        assert found == expected, (path, registered, presented, client_id, secret)


@pytest.mark.parametrize("registered", [AuthMethod.PRIVATE_KEY_JWT, AuthMethod.NONE])
@pytest.mark.parametrize("presented", ["basic", "post"])
async def test_client_without_a_secret_reveals_no_method(
    token_service: TokenService, registered: AuthMethod, presented: str
) -> None:
    """Without a secret to verify, the response reveals nothing (P9)."""
    token_service.register("app", registered, secret_hash="")
    answer = await ask(token_service, "/oauth/v2/token", presented)

    assert (answer.status_code, answer.json()["error_description"]) == (401, PLAIN)


@pytest.mark.parametrize("secret", ["", SECRET])
async def test_leftover_secret_reveals_no_method(token_service: TokenService, secret: str) -> None:
    """An old secret of a client that now uses private_key_jwt does not reveal that (P9)."""
    token_service.register("app", AuthMethod.PRIVATE_KEY_JWT)
    answer = await ask(token_service, "/oauth/v2/revoke", "basic", secret)

    assert (answer.status_code, answer.json()["error_description"]) == (401, PLAIN)


@pytest.mark.parametrize(
    ("registered", "strict", "description"),
    [
        (AuthMethod.CLIENT_SECRET_BASIC, True, CASES[0][2]),
        (AuthMethod.CLIENT_SECRET_BASIC, False, CASES[0][2]),
        (AuthMethod.CLIENT_SECRET_POST, False, CASES[0][2]),
        (AuthMethod.CLIENT_SECRET_POST, True, PLAIN),
    ],
)
async def test_introspection_refuses_a_posted_secret(
    token_service: TokenService, registered: AuthMethod, strict: bool, description: str
) -> None:
    """The holder of the secret learns the method allowed there, if there is one (TK-16)."""
    token_service.register("app", registered, strict_auth_method=strict)
    answer = await ask(token_service, "/oauth/v2/introspect", "post")

    assert (answer.status_code, answer.json()["error_description"]) == (401, description)


class Work:
    """Counts hashes and comparisons while entered; unlike time, they do not depend on the machine."""

    COUNTED: Final = ("openssl_sha256", "compare_digest")

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()

    def __enter__(self) -> Counter[str]:
        sys.setprofile(self._note)
        return self.done

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, _frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and called.__name__ in self.COUNTED:
            self.done[called.__name__] += 1


@pytest.mark.parametrize("path", PATHS[1:])
@pytest.mark.parametrize("presented", ["basic", "post"])
async def test_every_presented_secret_costs_the_same(token_service: TokenService, path: str, presented: str) -> None:
    """The number of hashes and comparisons depends on the presented secret alone, not on client or method (P9)."""
    token_service.register("basic", AuthMethod.CLIENT_SECRET_BASIC, strict_auth_method=True)
    token_service.register("post", AuthMethod.CLIENT_SECRET_POST, strict_auth_method=True)
    token_service.register("none", AuthMethod.NONE)
    token_service.register("signer", AuthMethod.PRIVATE_KEY_JWT, secret_hash="")
    kept: dict[str, Any] = {
        "previous_secret_hash": fingerprint("former"),
        "previous_secret_until": token_service.clock.now() + 60,
    }
    token_service.register("kept", AuthMethod.NONE, **kept)
    refused = 0
    for client_id in ("basic", "post", "none", "signer", "kept", "unknown"):
        for secret in (SECRET + "x", "short", "former", SECRET, "100%"):
            with Work() as done:
                answer = await ask(token_service, path, presented, secret, client_id)
            if answer.status_code == 401:
                # By Basic a secret with a percent sign is read encoded and unencoded.
                readings = 2 if secret == "100%" and presented == "basic" else 1
                assert dict(done) == {"openssl_sha256": readings, "compare_digest": 2 * readings}
                refused += 1

    assert refused >= 29
