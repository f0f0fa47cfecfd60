"""The service users and API applications of the scenarios."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.apply import AccessTokenTypeName, ApiApp, ApiAuthMethodName, RoleGrant, ServiceUser
from portico_harness.key_pairs import KeyPair, key_pair

from portico_scenarios.relying_party import Client

PROJECT_ID: Final = "e2e-project"
OTHER_PROJECT_ID: Final = "e2e-other-project"
AUDIENCE: Final = f"urn:portico:project:id:{PROJECT_ID}:aud"
"""The scope that adds the project, and so its APIs, to a token's audience."""

READER: Final = "reader"
WRITER: Final = "writer"


@dataclass(frozen=True, slots=True)
class Api:
    name: str
    key: KeyPair | None = None

    @property
    def client(self) -> Client:
        client_id = f"e2e-{self.name}"
        if self.key:
            return Client(client_id, "", auth_method="private_key_jwt", key=self.key)
        return Client(client_id, "", f"e2e-secret-of-{self.name}-{'y' * 24}")

    def wanted(self) -> ApiApp:
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
"""In another project: no token of the scenarios has it as audience."""


@dataclass(frozen=True, slots=True)
class Program:
    name: str
    token: AccessTokenTypeName = AccessTokenTypeName.BEARER
    keys: tuple[KeyPair, ...] = ()
    roles: tuple[str, ...] = ()

    @property
    def user_id(self) -> str:
        return f"e2e-{self.name}"

    @property
    def client(self) -> Client:
        return Client(self.user_id, "", "" if self.keys else f"e2e-secret-of-{self.name}-{'z' * 24}")

    @property
    def in_body(self) -> Client:
        return Client(self.user_id, "", self.client.secret, "client_secret_post")

    def wanted(self) -> ServiceUser:
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
