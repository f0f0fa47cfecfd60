from __future__ import annotations

import ast
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest
from portico_contracts.http import TOKEN
from portico_contracts.users import AuthMethod
from portico_fakes.memory_assertions import MemoryAssertions
from portico_fakes.token_service import ISSUER, SECRET, TokenService, basic_header
from portico_oauth.errors import ServiceError
from portico_oauth.parameters import Parameters
from portico_runtime.versioned_cache.lease import Lease
from portico_token.assertions.verification import Assertions
from portico_token.client_auth.authentication import ClientAuthentication
from portico_token.client_auth.by_workload import WorkloadClients
from portico_token.client_auth.credentials import Credentials, Presented
from portico_token.client_auth.methods import CLIENT_AUTH
from portico_token.client_auth.protocol import MethodDependencies
from portico_token.client_auth.secret_uses import SecretUses
from portico_token.grants import GRANTS
from portico_token.users_client import UsersClient
from portico_token.workloads.issuer_keys import IssuerKeyCache
from portico_token.workloads.tokens import WorkloadTokens
from portico_token.workloads.uses import WorkloadUses

PACKAGE = Path(str(files("portico_token")))


async def test_method_not_allowed_here_is_refused(token_service: TokenService) -> None:
    """The registered method with the right secret is refused where an endpoint or grant does not allow it (TK-16)."""
    clock = token_service.clock
    uses = SecretUses(token_service.bus, clock)
    dependencies = MethodDependencies(ISSUER, Assertions(MemoryAssertions(clock), clock), clock, uses)
    users_client = UsersClient(token_service.bus, clock, Lease(None, clock))
    tokens = WorkloadTokens(ISSUER, IssuerKeyCache(token_service.bus, clock), clock)
    workloads = WorkloadClients(users_client, tokens, WorkloadUses(token_service.bus, clock))
    authentication = ClientAuthentication(users_client, dependencies, workloads)
    presented = Presented([basic_header("web", SECRET)], Parameters(()))

    client = await authentication.authenticate(presented, {AuthMethod.CLIENT_SECRET_BASIC}, TOKEN)
    with pytest.raises(ServiceError) as refused:
        await authentication.authenticate(presented, {AuthMethod.CLIENT_SECRET_POST}, TOKEN)

    assert refused.value.id == "TOKEN-138"
    assert (client.client.client_id, client.method) == ("web", AuthMethod.CLIENT_SECRET_BASIC)


def test_only_authentication_creates_authenticated_clients() -> None:
    """No other module constructs an AuthenticatedClient."""
    makers = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "AuthenticatedClient"
    }

    assert makers == {"client_auth/authentication.py", "client_auth/by_assertion.py", "client_auth/by_workload.py"}


def test_method_tables_are_consistent() -> None:
    """Each row is keyed by its name, and a grant allows only existing methods."""
    assert {name: method.method for name, method in CLIENT_AUTH.items()} == {name: name for name in CLIENT_AUTH}
    assert {name: kind.grant_type for name, kind in GRANTS.items()} == {name: name for name in GRANTS}
    assert all(kind.methods <= set(CLIENT_AUTH) for kind in GRANTS.values())


def test_every_method_has_its_own_credentials() -> None:
    """The presented credentials determine the method, so that no client chooses one (TK-16)."""
    kinds = [method.credentials for method in CLIENT_AUTH.values()]

    assert set(kinds) == set(get_args(Credentials))
    assert len(kinds) == len(set(kinds))
    assert set(CLIENT_AUTH) == set(AuthMethod)
