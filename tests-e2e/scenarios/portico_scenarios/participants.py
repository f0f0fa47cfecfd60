"""The applications and users of the scenarios, as one document of ``portico apply``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from portico_contracts.apply import (
    AccessTokenTypeName,
    Address,
    AppTypeName,
    Attributes,
    AuthMethodName,
    Document,
    Email,
    EndUser,
    Gender,
    GrantTypeName,
    OidcApp,
    Organization,
    Password,
    Phone,
    Profile,
    Project,
    ResponseTypeName,
    Role,
    RoleGrant,
    ServiceUser,
)
from portico_harness.key_pairs import KeyPair, key_pair

from portico_scenarios import programs
from portico_scenarios.programs import PROGRAMS, READER, WRITER
from portico_scenarios.relying_party import Client

PROJECT_ID: Final = programs.PROJECT_ID
PROGRAM: Final = "nightly-import"
PROGRAM_ID: Final = "e2e-program"
"""A service user, who has no password and cannot sign in at the pages."""

OTHER_REDIRECT: Final = "https://rp.example.test/other?keep=this"
"""A second redirect URI of every application, where no server listens."""

OTHER_AFTER_LOGOUT: Final = "https://rp.example.test/bye?keep=this"
"""A second post-logout redirect URI, likewise."""


@dataclass(frozen=True, slots=True)
class KnownUser:
    id: str
    login_name: str
    password: str = field(repr=False)
    domain: str = "e2e.localhost"


ALICE: Final = KnownUser("e2e-alice", "alice", "a walk along the river")
BOB: Final = KnownUser("e2e-bob", "bob", "seven green bottles here", domain="other.localhost")
CAROL: Final = KnownUser("e2e-carol", "carol", "the kettle is boiling over")
DAVE: Final = KnownUser("e2e-dave", "dave", "paper planes over Prague")
"""Carol and Dave have failed password attempts, which are counted, so no other test uses them."""

ERIN: Final = KnownUser("e2e-erin", "erin", "nine lives and counting")
"""Erin's sign-ins are attacked."""

FAYE: Final = KnownUser("e2e-faye", "faye", "what the office wrote down")
"""Faye must change her password, which works once per stack."""


@dataclass(frozen=True, slots=True)
class App:
    """An application of the scenarios.

    Args:
        told_of_logout: it receives back-channel logout.
        in_browser: a page with a third-party library (`browser_rp`) instead of a demo relying party.
    """

    name: str
    method: AuthMethodName
    auth_method: str
    token: AccessTokenTypeName = AccessTokenTypeName.BEARER
    kind: AppTypeName = AppTypeName.WEB
    userinfo_in_id_token: bool = False
    secret: str = ""
    refresh: bool = False
    key: KeyPair | None = None
    alg: str = "RS256"
    roles: bool = False
    implicit: bool = False
    told_of_logout: bool = False
    in_browser: bool = False

    def client(self, port: int) -> Client:
        secretless = self.method in (AuthMethodName.NONE, AuthMethodName.PRIVATE_KEY_JWT)
        secret = "" if secretless else self.secret or f"e2e-secret-of-{self.name}-{'x' * 24}"
        return Client(f"e2e-{self.name}", f"http://localhost:{port}/callback", secret, self.auth_method, self.key)

    def wanted(self, client: Client) -> OidcApp:
        return OidcApp(
            name=f"E2E {self.name}",
            client_id=client.client_id,
            client_secret=client.secret or None,
            redirect_uris=(client.redirect_uri, OTHER_REDIRECT),
            auth_method_type=self.method,
            access_token_type=self.token,
            app_type=self.kind,
            id_token_userinfo_assertion=self.userinfo_in_id_token,
            post_logout_redirect_uris=(after_logout(client), OTHER_AFTER_LOGOUT),
            back_channel_logout_uri=back_channel(client) if self.told_of_logout else "",
            response_types=self._response_types(),
            grant_types=self._grant_types(),
            keys=(self.key.registered(),) if self.key else (),
            id_token_signed_response_alg=self.alg,
            access_token_role_assertion=self.roles,
            id_token_role_assertion=self.roles,
        )

    def _response_types(self) -> tuple[ResponseTypeName, ...]:
        implicit = (ResponseTypeName.ID_TOKEN, ResponseTypeName.ID_TOKEN_TOKEN) if self.implicit else ()
        return (ResponseTypeName.CODE, *implicit)

    def _grant_types(self) -> tuple[GrantTypeName, ...]:
        refresh = (GrantTypeName.REFRESH_TOKEN,) if self.refresh else ()
        implicit = (GrantTypeName.IMPLICIT,) if self.implicit else ()
        return (GrantTypeName.AUTHORIZATION_CODE, *refresh, *implicit)


def home(client: Client) -> str:
    return client.redirect_uri.removesuffix("/callback")


def after_logout(client: Client) -> str:
    return f"{home(client)}/signed-out"


def back_channel(client: Client) -> str:
    return f"{home(client)}/backchannel-logout"


APPS: Final = {
    app.name: app
    for app in (
        App("basic", AuthMethodName.BASIC, "client_secret_basic", told_of_logout=True),
        App("post", AuthMethodName.POST, "client_secret_post", refresh=True),
        App("public", AuthMethodName.NONE, "none", kind=AppTypeName.USER_AGENT, refresh=True),
        App("jwt", AuthMethodName.BASIC, "client_secret_basic", token=AccessTokenTypeName.JWT, told_of_logout=True),
        App("told", AuthMethodName.BASIC, "client_secret_basic", userinfo_in_id_token=True),
        App(
            "spa",
            AuthMethodName.NONE,
            "none",
            kind=AppTypeName.USER_AGENT,
            refresh=True,
            implicit=True,
            in_browser=True,
        ),
        App("odd", AuthMethodName.BASIC, "client_secret_basic", secret="100 % + äöü: a secret to be encoded"),
        App("offline", AuthMethodName.BASIC, "client_secret_basic", refresh=True),
        App(
            "keyed",
            AuthMethodName.PRIVATE_KEY_JWT,
            "private_key_jwt",
            token=AccessTokenTypeName.JWT,
            refresh=True,
            key=key_pair("e2e-key-of-keyed", "RS256"),
        ),
        App(
            "roles",
            AuthMethodName.BASIC,
            "client_secret_basic",
            token=AccessTokenTypeName.JWT,
            refresh=True,
            alg="ES256",
            roles=True,
        ),
    )
}
"""``basic`` has no refresh tokens; ``roles`` signs with ES256, for which the stack needs a key."""


LIBRARIES: Final = "E2E libraries"
"""A separate project for applications of third-party libraries, so that the scenarios' audience does not change."""


def document_of_libraries(*apps: OidcApp) -> Document:
    project = Project(id="e2e-libraries", name=LIBRARIES, oidc_apps=apps or None)
    return Document(organizations=(Organization(id="e2e-org", name="E2E", projects=(project,)),))


def document(clients: dict[str, Client]) -> Document:
    """Returns two organizations with all their resources.

    Args:
        clients: the application's client by its name in `APPS`.
    """
    apps = tuple(APPS[name].wanted(client) for name, client in clients.items())
    here = Organization(
        id="e2e-org",
        name="E2E",
        primary_domain=ALICE.domain,
        projects=(_project(apps), _other_project()),
        humans=(
            _alice(),
            _user(CAROL, "Carol"),
            _user(DAVE, "Dave"),
            _user(ERIN, "Erin"),
            _user(FAYE, "Faye", change_required=True),
        ),
        service_users=(
            ServiceUser(id=PROGRAM_ID, username=PROGRAM, name="A program"),
            *(program.wanted() for program in PROGRAMS),
        ),
    )
    other = Organization(id="e2e-other-org", name="E2E other", primary_domain=BOB.domain, humans=(_user(BOB, "Bob"),))
    return Document(organizations=(here, other))


def _project(apps: tuple[OidcApp, ...]) -> Project:
    return Project(
        id=PROJECT_ID,
        name="E2E project",
        roles=(Role(role_key=READER, display_name="Reads"), Role(role_key=WRITER, display_name="Writes")),
        oidc_apps=apps,
        api_apps=(programs.API.wanted(), programs.KEYED_API.wanted()),
    )


def _other_project() -> Project:
    return Project(id=programs.OTHER_PROJECT_ID, name="E2E other project", api_apps=(programs.FOREIGN_API.wanted(),))


def _user(person: KnownUser, first_name: str, *, change_required: bool = False) -> EndUser:
    return EndUser(
        id=person.id,
        username=person.login_name,
        profile=Profile(first_name=first_name, last_name="Example"),
        email=Email(email=f"{person.login_name}@mail.example.test", is_verified=True),
        password=Password(password=person.password, change_required=change_required),
    )


def _alice() -> EndUser:
    """Alice has a value for every standard claim."""
    return EndUser(
        id=ALICE.id,
        username=ALICE.login_name,
        profile=Profile(
            first_name="Alice", last_name="Liddell", nick_name="Al", preferred_language="en", gender=Gender.FEMALE
        ),
        email=Email(email="alice@mail.example.test", is_verified=True),
        phone=Phone(phone="+41791234567", is_verified=True),
        attributes=Attributes(
            middle_name="Pleasance",
            profile_url="https://alice.example.test/about",
            website="https://alice.example.test",
            picture="https://alice.example.test/me.png",
            birthdate="1852-05-04",
            zoneinfo="Europe/London",
            address=Address(street_address="Christ Church", locality="Oxford", postal_code="OX1", country="GB"),
        ),
        password=Password(password=ALICE.password),
        grants=(RoleGrant(project=PROJECT_ID, role_keys=(READER,)),),
    )


CLAIMS_OF_ALICE: Final[dict[str, dict[str, object]]] = {
    "profile": {
        "name": "Alice Liddell",
        "given_name": "Alice",
        "family_name": "Liddell",
        "middle_name": "Pleasance",
        "nickname": "Al",
        "preferred_username": "alice@e2e.localhost",
        "profile": "https://alice.example.test/about",
        "picture": "https://alice.example.test/me.png",
        "website": "https://alice.example.test",
        "gender": "female",
        "birthdate": "1852-05-04",
        "zoneinfo": "Europe/London",
        "locale": "en",
    },
    "email": {"email": "alice@mail.example.test", "email_verified": True},
    "phone": {"phone_number": "+41791234567", "phone_number_verified": True},
    "address": {
        "address": {
            "street_address": "Christ Church",
            "locality": "Oxford",
            "postal_code": "OX1",
            "country": "GB",
        }
    },
}
"""Alice's userinfo claims by scope, without ``updated_at``."""
