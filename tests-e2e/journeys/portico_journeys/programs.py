"""The programs of the scenarios: service users that request tokens, and API applications that introspect them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.apply import AccessTokenTypeName, ApiApp, ApiAuthMethodName, RoleGrant, ServiceUser
from portico_harness.key_pairs import KeyPair, key_pair

from portico_journeys.relying_party import Client

PROJECT_ID: Final = "e2e-project"
OTHER_PROJECT_ID: Final = "e2e-other-project"
AUDIENCE: Final = f"urn:portico:project:id:{PROJECT_ID}:aud"
"""The scope by which a service user's token is for the project, and so for its APIs."""

READER: Final = "reader"
WRITER: Final = "writer"


@dataclass(frozen=True, slots=True)
class Api:
    """An API application."""

    name: str
    key: KeyPair | None = None

    @property
    def client(self) -> Client:
        """It has no address: it only introspects."""
        client_id = f"e2e-{self.name}"
        if self.key:
            return Client(client_id, "", auth_method="private_key_jwt", key=self.key)
        return Client(client_id, "", f"e2e-secret-of-{self.name}-{'y' * 24}")

    def wanted(self) -> ApiApp:
        """The entry of the document."""
        return ApiApp(
            name=f"E2E {self.name}",
            client_id=self.client.client_id,
            client_secret=self.client.secret or None,
            auth_method_type=ApiAuthMethodName.PRIVATE_KEY_JWT if self.key else ApiAuthMethodName.BASIC,
            keys=(self.key.registered(),) if self.key else (),
        )


API: Final = Api("api")
KEYED_API: Final = Api("keyed-api", key_pair("e2e-key-of-keyed-api"))
FOREIGN_API: Final = Api("foreign-api")
"""In another project: no token of the scenarios is for it."""


@dataclass(frozen=True, slots=True)
class Program:
    """A service user that requests tokens, with a secret or with keys."""

    name: str
    token: AccessTokenTypeName = AccessTokenTypeName.BEARER
    keys: tuple[KeyPair, ...] = ()
    roles: tuple[str, ...] = ()

    @property
    def user_id(self) -> str:
        """Its id, which is its client id as well."""
        return f"e2e-{self.name}"

    @property
    def client(self) -> Client:
        """The client of its client_credentials requests."""
        return Client(self.user_id, "", "" if self.keys else f"e2e-secret-of-{self.name}-{'z' * 24}")

    @property
    def in_body(self) -> Client:
        """The same with the secret in the body."""
        return Client(self.user_id, "", self.client.secret, "client_secret_post")

    def wanted(self) -> ServiceUser:
        """The entry of the document."""
        return ServiceUser(
            id=self.user_id,
            username=self.name,
            name=f"E2E {self.name}",
            access_token_type=self.token,
            secret=self.client.secret or None,
            keys=tuple(key.registered() for key in self.keys),
            grants=(RoleGrant(project=PROJECT_ID, role_keys=self.roles),) if self.roles else (),
        )


ROBOT: Final = Program("robot")
JWT_ROBOT: Final = Program("jwt-robot", AccessTokenTypeName.JWT, roles=(WRITER,))
KEYED_ROBOT: Final = Program(
    "keyed-robot",
    keys=(key_pair("e2e-rsa-key-of-robot", "RS256"), key_pair("e2e-ed-key-of-robot", "EdDSA")),
)
KEYED_JWT_ROBOT: Final = Program("keyed-jwt-robot", AccessTokenTypeName.JWT, (key_pair("e2e-key-of-jwt-robot"),))

PROGRAMS: Final = (ROBOT, JWT_ROBOT, KEYED_ROBOT, KEYED_JWT_ROBOT)
