"""The grid of checks: complete, in order, and run by the right endpoint."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from portico_authz import offered
from portico_authz.authorize import CHECKS, Endpoint, checks
from portico_authz.context import KNOWN, Context
from portico_contracts.users import Client, LoginPolicy, ProjectAccess, User
from portico_oauth.grant_types import REFRESH_TOKEN
from portico_oauth.parameters import read_parameters

NAMES = [check.__name__ for check, _ in CHECKS]


class EmptyDirectory:
    """Knows nobody."""

    async def find_client(self, _client_id: str) -> Client | None:
        """No client."""
        return None

    async def find_user(self, _user_id: str) -> User | None:
        """No user."""
        return None

    def remember_user(self, user: User, *, asked: float) -> None:
        """Nobody is asked about."""

    async def public_keys(self) -> tuple[dict[str, str], ...]:
        """No key."""
        return ()

    async def admission(self, _user_id: str, _project_id: str) -> ProjectAccess:
        """Nothing to do with it."""
        return ProjectAccess()

    async def login_policy(self, _org_id: str) -> LoginPolicy:
        """Nothing special."""
        return LoginPolicy()


def context(query: str = "") -> Context:
    return Context("https://id.example.test", EmptyDirectory(), read_parameters(query))


def test_every_check_file_stands_in_the_grid() -> None:
    """A check that nobody runs is a hole."""
    files = {path.stem for path in Path(checks.__path__[0]).glob("check_*.py")}

    assert {check.__module__.rsplit(".", 1)[1] for check, _ in CHECKS} == files


def test_client_and_redirect_uri_are_proven_before_anything_else_is_read() -> None:
    """AZ-09: only what makes them ambiguous comes before them."""
    assert NAMES[:3] == ["check_identity_repeats", "check_client", "check_redirect_uri"]


def test_client_and_redirect_uri_are_proven_again_before_the_answer() -> None:
    """P3: a kept request is not trusted; only what cannot have changed is skipped."""
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
        _ = ctx.proven


def test_the_verified_hint_is_not_kept() -> None:
    """Only its subject is; the token itself need not lie in a store."""
    ctx = context("client_id=web&id_token_hint=a.b.c&unknown=1")

    assert ctx.stored_parameters() == {"client_id": "web"}
    assert "id_token_hint" in KNOWN


def test_what_is_not_served_is_not_offered() -> None:
    """AZ-19: a scope that needs a grant is offered with it."""
    assert ("offline_access" in offered.SCOPES) == (REFRESH_TOKEN in offered.GRANT_TYPES)
    assert set(offered.GRANT_OF_RESPONSE_TYPE) == set(offered.RESPONSE_TYPES)
    assert set(offered.GRANT_OF_RESPONSE_TYPE.values()) <= set(offered.GRANT_TYPES)
