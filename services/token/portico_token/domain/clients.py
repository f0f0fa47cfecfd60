from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from portico_contracts.users import AuthMethod, Client, ClientKind, ServiceUser, User
from portico_oauth import grant_types

CLIENT_AUTHENTICATION: Final = "client_authentication"
"""Name of the check in diagnostics."""

CERTIFICATE: Final = "portico.client_certificate"
ALIAS: Final = "portico.mtls_alias"
"""Keys of a request's scope, set for requests of the gateway alone."""

SECRET_METHODS: Final = frozenset({AuthMethod.CLIENT_SECRET_BASIC, AuthMethod.CLIENT_SECRET_POST})


@dataclass(frozen=True, slots=True)
class Registration:
    client: Client
    methods: frozenset[AuthMethod]
    user: User | None = None

    @property
    def shown_methods(self) -> tuple[str, ...]:
        return tuple(sorted(method.value for method in self.methods))


@dataclass(frozen=True, slots=True)
class AuthenticatedClient:
    """Constructed only by `client_auth` (enforced by a test), so that an instance proves authentication.

    `jkt` is the thumbprint of the key that a DPoP proof of the request proves, empty without one (RFC 9449).
    """

    client: Client
    method: AuthMethod
    user: User | None = None
    jkt: str = ""

    def proving(self, jkt: str) -> AuthenticatedClient:
        return replace(self, jkt=jkt) if jkt else self


def registered_application(client: Client) -> Registration:
    """Allows both secret methods unless strict: most libraries post the secret by default."""
    one_secret = client.auth_method in SECRET_METHODS and not client.strict_auth_method
    return Registration(client, SECRET_METHODS if one_secret else frozenset((client.auth_method,)))


def registered_service_user(service_user: ServiceUser) -> Registration:
    """Its client id is its user id even if it was found by name; at the management API it acts for itself."""
    user = service_user.user
    client = Client(
        client_id=user.user_id,
        kind=ClientKind.OIDC,
        name=user.user_name,
        app_id="",
        project_id="",
        org_id=user.org_id,
        auth_method=AuthMethod.CLIENT_SECRET_BASIC,
        audience=(),
        secret_hash=service_user.secret_hash,
        previous_secret_hash=service_user.previous_secret_hash,
        previous_secret_until=service_user.previous_secret_until,
        secret_until=service_user.secret_until,
        grant_types=grant_types.OF_SERVICE_USERS,
        access_token_type=service_user.access_token_type,
        id_token_alg=service_user.access_token_alg,
        keys=service_user.keys,
        lifetimes=service_user.lifetimes,
        management_access=True,
        dpop=service_user.dpop,
        trusted_workloads=service_user.trusted_workloads,
    )
    return Registration(client, SECRET_METHODS, user)
