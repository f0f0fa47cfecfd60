"""The grid of checks: complete, in order, and run by the right endpoint."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from portico_authz import provider_metadata
from portico_authz.authorize import CHECKS, Endpoint, checks
from portico_authz.context import KNOWN_PARAMETERS, Context
from portico_contracts.users import Client, LoginPolicy, ProjectAccess, User
from portico_oauth.grant_types import REFRESH_TOKEN
from portico_oauth.parameters import read_parameters
from portico_runtime.facts.dated import Asked

NAMES = [check.__name__ for check, _ in CHECKS]


class EmptyDirectory:
    """A directory without objects."""

    async def find_client(self, _client_id: str) -> Client | None:
        """No client."""
        return None

    async def find_user(self, _user_id: str, _version: str | None = None) -> User | None:
        """No user."""
        return None

    def begin(self) -> Asked:
        """See `Directory.begin`."""
        raise NotImplementedError

    def cache_user(self, user: User, asked: Asked) -> None:
        """Caches no user."""

    async def public_keys(self) -> tuple[dict[str, str], ...]:
        """Returns no key."""
        return ()

    async def project_access(self, _user_id: str, _project_id: str, _version: str | None = None) -> ProjectAccess:
        """Returns neither role nor grant."""
        return ProjectAccess()

    async def login_policy(self, _org_id: str) -> LoginPolicy:
        """Returns the default policy."""
        return LoginPolicy()


def context(query: str = "") -> Context:
    return Context("https://id.example.test", EmptyDirectory(), read_parameters(query))


def test_every_check_file_is_in_the_grid() -> None:
    """A check file without a row would never run."""
    files = {path.stem for path in Path(checks.__path__[0]).glob("check_*.py")}

    assert {check.__module__.rsplit(".", 1)[1] for check, _ in CHECKS} == files


def test_client_and_redirect_uri_are_verified_first() -> None:
    """AZ-09: only the check for their ambiguity precedes them."""
    assert NAMES[:3] == ["check_identity_repeats", "check_client", "check_redirect_uri"]


def test_client_and_redirect_uri_are_verified_again_before_the_response() -> None:
    """P3: a stored request is not trusted; only checks of immutable input are skipped."""
    skipped = {check.__name__ for check, endpoints in CHECKS if Endpoint.RESUME not in endpoints}

    assert skipped == {"check_identity_repeats", "check_repeats", "check_request_objects", "check_id_token_hint"}


def test_a_field_is_unreadable_before_its_stage() -> None:
    """The fields of the context appear stage by stage."""
    ctx = context()
    early: list[Callable[[], object]] = [lambda: ctx.client, lambda: ctx.scope, lambda: ctx.prompts]

    for read in early:
        with pytest.raises(AttributeError):
            read()
    with pytest.raises(LookupError):
        _ = ctx.verified_address


def test_the_verified_hint_is_not_stored() -> None:
    """Only the subject of the hint is stored, not the token."""
    ctx = context("client_id=web&id_token_hint=a.b.c&unknown=1")

    assert ctx.stored_parameters() == {"client_id": "web"}
    assert "id_token_hint" in KNOWN_PARAMETERS


def test_unsupported_scopes_are_not_advertised() -> None:
    """AZ-19: a scope that needs a grant is advertised with it."""
    assert ("offline_access" in provider_metadata.SCOPES) == (REFRESH_TOKEN in provider_metadata.GRANT_TYPES)
    assert set(provider_metadata.GRANT_OF_RESPONSE_TYPE) == set(provider_metadata.RESPONSE_TYPES)
    assert set(provider_metadata.GRANT_OF_RESPONSE_TYPE.values()) <= set(provider_metadata.GRANT_TYPES)
