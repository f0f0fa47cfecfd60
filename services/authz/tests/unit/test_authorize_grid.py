from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from portico_authz import provider_metadata
from portico_authz.authorize import CHECKS, STORED_PARAMETERS, Endpoint, checks, passed_checks, readable, run_checks
from portico_authz.checked_request import CheckedRequest, CheckSources
from portico_authz.users_client import UsersClient
from portico_contracts.users import Client
from portico_fakes.authz_peers import WEB
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_authz import MemoryPushedRequests
from portico_oauth.errors import ServiceError
from portico_oauth.grant_types import REFRESH_TOKEN
from portico_oauth.parameters import read_parameters

NAMES = [row.check.__name__ for row in CHECKS]
EVERY_CHECK = (
    "client_id=web&redirect_uri=https://app.example.test/cb&response_type=code&response_mode=query&scope=openid&state=s"
    "&nonce=n&code_challenge=0123456789012345678901234567890123456789012&code_challenge_method=S256&prompt=login"
    "&max_age=1&id_token_hint=a.b.c&login_hint=ada&ui_locales=de&acr_values=1&claims={}&display=page&claims_locales=de"
    "&unknown=1"
)


class NoUsersClient(UsersClient):
    """A directory without objects, which asks no other service."""

    def __init__(self) -> None: ...

    async def find_client(self, _client_id: str, _org_id: str = "") -> Client | None:
        return None

    async def hint_keys(self) -> tuple[dict[str, str], ...]:
        return ()


class OneClient(NoUsersClient):
    """A directory with one application."""

    async def find_client(self, _client_id: str, _org_id: str = "") -> Client | None:
        """The application, whatever the id."""
        return WEB


def context(query: str = "", users_client: NoUsersClient | None = None) -> CheckedRequest:
    pushed_requests = MemoryPushedRequests(FrozenClock())
    sources = CheckSources("https://id.example.test", users_client or NoUsersClient(), pushed_requests)
    return CheckedRequest(sources, readable(read_parameters(query)))


def test_every_check_file_is_in_the_grid() -> None:
    files = {path.stem for path in Path(checks.__path__[0]).glob("check_*.py")}

    assert {row.check.__module__.rsplit(".", 1)[1] for row in CHECKS} == files


def test_client_and_redirect_uri_are_verified_first() -> None:
    """Only the check for repeated parameters precedes them (AZ-09), and the one that reads pushed parameters."""
    assert NAMES[:4] == ["check_identity_repeats", "check_pushed_request", "check_client", "check_redirect_uri"]


def test_client_and_redirect_uri_are_verified_again() -> None:
    """A stored request is verified again before the response, except checks of immutable input (P3), and one of devices only."""
    skipped = {row.check.__name__ for row in CHECKS if Endpoint.RESUME not in row.endpoints}

    assert skipped == {
        "check_identity_repeats",
        "check_pushed_request",
        "check_push_required",
        "check_repeats",
        "check_request_objects",
        "check_device",
        "check_id_token_hint",
        "check_sizes",
    }


def test_field_is_unreadable_before_its_stage() -> None:
    ctx = context()
    early: list[Callable[[], object]] = [lambda: ctx.client, lambda: ctx.scope, lambda: ctx.prompts]

    for read in early:
        with pytest.raises(AttributeError):
            read()
    with pytest.raises(LookupError):
        _ = ctx.verified_address


async def test_check_reads_only_its_declared_parameters() -> None:
    """An undeclared parameter may not be stored for the resume, so reading it is an error."""
    read: list[str | None] = []

    class RecordingUsersClient(NoUsersClient):
        async def find_client(self, client_id: str, org_id: str = "") -> Client | None:
            read.append(ctx.parameters.get("client_id"))
            for access in (ctx.parameters.get, ctx.parameters.__getitem__, ctx.parameters.__contains__):
                with pytest.raises(LookupError, match="nonce"):
                    access("nonce")
            return await super().find_client(client_id, org_id)

    ctx = context("client_id=web&nonce=n", RecordingUsersClient())
    with pytest.raises(ServiceError, match="client_id"):
        await run_checks(ctx, Endpoint.AUTHORIZE)

    assert read == ["web"]
    assert ctx.parameters.get("nonce") == "n"


def test_parameter_of_no_check_cannot_be_read() -> None:
    ctx = context("unknown=1")

    for access in (ctx.parameters.get, ctx.parameters.__getitem__, ctx.parameters.__contains__):
        with pytest.raises(LookupError, match="unknown"):
            access("unknown")


@pytest.mark.parametrize("endpoint", [Endpoint.AUTHORIZE, Endpoint.RESUME])
async def test_every_check_declares_what_it_reads(endpoint: Endpoint) -> None:
    """A request with every parameter passes all checks of both endpoints."""
    ctx = context(EVERY_CHECK, OneClient())
    await run_checks(ctx, endpoint)

    assert ctx.reached == ""


@pytest.mark.parametrize("endpoint", [Endpoint.AUTHORIZE, Endpoint.RESUME])
async def test_diagnostics_show_every_check_under_its_name(endpoint: Endpoint) -> None:
    """The values a check compares are named like the check, in the order of the grid."""
    ctx = context(EVERY_CHECK, OneClient())
    await run_checks(ctx, endpoint)
    names = [row.check.__name__.removeprefix("check_") for row in CHECKS if endpoint in row.endpoints]

    assert [compared.check for compared in passed_checks(ctx)] == names


def test_rechecked_parameters_are_stored() -> None:
    """Request objects and hints are not stored, but the subject of a hint is."""
    assert set(STORED_PARAMETERS) == {
        *("client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge"),
        *("code_challenge_method", "prompt", "max_age", "login_hint", "claims", "ui_locales", "claims_locales"),
        *("acr_values", "display", "resource", "dpop_jkt"),
    }


def test_unsupported_scopes_are_not_advertised() -> None:
    """A scope that needs a grant is advertised with it (AZ-19)."""
    assert ("offline_access" in provider_metadata.SCOPES) == (REFRESH_TOKEN in provider_metadata.GRANT_TYPES)
    assert set(provider_metadata.GRANT_OF_RESPONSE_TYPE) == set(provider_metadata.RESPONSE_TYPES)
    assert set(provider_metadata.GRANT_OF_RESPONSE_TYPE.values()) <= set(provider_metadata.GRANT_TYPES)
