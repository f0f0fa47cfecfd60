"""Sends the examples of the OpenAPI document to the API (`libs/contracts/examples`).

The examples are one sequence: a later step uses the responses of earlier ones. Ids, codes and secrets differ
in each run, so actual values replace those of the file.
"""

from __future__ import annotations

import json
import re
import secrets
from base64 import b32decode
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Final

from portico_users.credentials.totp.time_codes import code_at

from portico_fakes.management_api import ApiResponse, ManagementApi, in_path
from portico_fakes.soft_authenticator import UP, UV, SoftAuthenticator

FILE: Final = Path(__file__).parents[3] / "libs" / "contracts" / "examples" / "management-api.json"
ORG_ID: Final = "k3m5vq7zt2wd4xr6yb8nc1hfja"
DOMAIN: Final = "acme.example"
_ORIGIN: Final = "http://localhost:8080"
_VARYING: Final = re.compile(r"\d+|\d{4}-\d\d-\d\dT[0-9:.]+Z")
"""Counters and times, which identify nothing."""

Step = dict[str, Any]
"""``method``, ``request`` and ``response``; a step with ``setup`` is not an example."""


def steps() -> list[Step]:
    read: list[Step] = json.loads(FILE.read_text())
    return read


class ExampleRunner:
    """Runs the steps in order.

    Args:
        api: receives the requests.
        tokens: of an owner of the organization and of an owner of the instance.
        names: actual values for the organization's domain and id in the file.
        now: for codes that depend on the time.
        bring_back: signs in at an identity provider for an intent or a test; returns its token.
    """

    def __init__(
        self,
        api: ManagementApi,
        tokens: dict[str, str],
        names: dict[str, str],
        now: Callable[[], float],
        bring_back: Callable[[str], Awaitable[str]],
    ):
        self._api, self._tokens, self._now, self._bring_back = api, tokens, now, bring_back
        self.names = dict(names)
        self._keys = {False: _key(UP), True: _key(UP | UV)}
        self._made: dict[str, Any] = {}

    async def play(self, step: Step) -> ApiResponse:
        """Sends the request of a step and records the values that differ from the file."""
        request = self.here(step["request"]) | await self._live(step["method"])
        path, left = in_path(step["method"], request)
        of_instance = ".admin." in step["method"] or step["method"].endswith("ProviderIntent")
        token = self._tokens["iam" if of_instance else "owner"]
        api_response = await self._api.json(step["method"], left, token=token, path=path)
        if api_response.code == 0:
            self._made[step["method"].rpartition(".")[2]] = api_response.body
            self.names |= {there: here for there, here in _pairs(step["response"], api_response.body) if there != here}
        return api_response

    def here(self, value: Any) -> Any:
        """Replaces a value of the file by the actual one."""
        if isinstance(value, dict):
            return {key: self.here(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.here(one) for one in value]
        if not isinstance(value, str):
            return value
        return self.names.get(value) or value.replace(DOMAIN, self.names[DOMAIN])

    async def _live(self, method: str) -> dict[str, Any]:
        """Returns values that no file can contain: responses of authenticators and identity providers."""
        match method.rpartition(".")[2]:
            case "VerifyTOTPRegistration":
                return {"code": code_at(_unpadded(self._made["RegisterTOTP"]["secret"]), self._now())}
            case "RetrieveIdentityProviderIntent":
                return {"idpIntentToken": await self._bring_back(self._made["StartIdentityProviderIntent"]["authUrl"])}
            case "GetProviderTest":
                return {"token": await self._bring_back(self._made["StartProviderTest"]["authUrl"])}
            case "VerifyU2FRegistration":
                return self._credential("RegisterU2F", verified=False)
            case "VerifyPasskeyRegistration":
                return self._credential("RegisterPasskey", verified=True)
            case _:
                return {}

    def _credential(self, method: str, *, verified: bool) -> dict[str, Any]:
        options = self._made[method]["publicKeyCredentialCreationOptions"]
        return {"publicKeyCredential": self._keys[verified].create(options)}


def shape(value: Any) -> Any:
    """Returns the names of all members, recursively, without values."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    return [shape(one) for one in value] if isinstance(value, list) else type(value).__name__


def _pairs(there: Any, here: Any) -> Iterator[tuple[str, str]]:
    """Yields the texts at the same place of two responses."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in there.keys() & here.keys():
            yield from _pairs(there[key], here[key])
    elif isinstance(there, list) and isinstance(here, list):
        for one, other in zip(there, here, strict=False):
            yield from _pairs(one, other)
    elif isinstance(there, str) and isinstance(here, str) and not _VARYING.fullmatch(there):
        yield there, here


def _key(flags: int) -> SoftAuthenticator:
    return SoftAuthenticator(secrets.token_bytes, _ORIGIN, flags=flags)


def _unpadded(text: str) -> bytes:
    return b32decode(text + "=" * (-len(text) % 8))
