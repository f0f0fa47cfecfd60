"""Fakes of users, keys and token on the bus in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from portico_contracts.keys import PUBLIC_KEYS, GetPublicKeys, PublicKeys
from portico_contracts.token import (
    ISSUE_IMPLICIT_TOKENS,
    REVOKE_SESSION,
    SIGN_LOGOUT_TOKENS,
    ImplicitTokens,
    IssueImplicitTokens,
    LogoutTokens,
    Revoked,
    RevokeSession,
    SignLogoutTokens,
)
from portico_contracts.users import (
    CHANGE_PASSWORD,
    CHECK_PROJECT_ACCESS,
    DESCRIBE_SCOPES,
    FIND_ORGANIZATION,
    FIND_USER,
    GET_APIS,
    GET_CLIENT,
    GET_CONSENT,
    GET_LOGIN_POLICY,
    GET_USED_GRANT_TYPES,
    GET_USER,
    GIVE_CONSENT,
    REGISTER,
    SEND_EMAIL_CODE,
    VERIFY_EMAIL,
    VERIFY_PASSWORD,
    Api,
    ApiScope,
    ApisFound,
    AuthMethod,
    Branding,
    ChangePassword,
    CheckProjectAccess,
    Client,
    ClientFound,
    ClientKind,
    ConsentFound,
    ConsentGiven,
    DescribedScope,
    DescribeScopes,
    Dpop,
    EmailCodeSent,
    EmailVerified,
    Factor,
    FindOrganization,
    FindUser,
    GetApis,
    GetClient,
    GetConsent,
    GetLoginPolicy,
    GetUsedGrantTypes,
    GetUser,
    GiveConsent,
    LoginPolicy,
    OfferedProvider,
    OrganizationFound,
    PasswordChanged,
    PasswordRules,
    PasswordVerified,
    ProjectAccess,
    Register,
    ScopesDescribed,
    SendEmailCode,
    UsedGrantTypes,
    User,
    UserFound,
    VerifyEmail,
    VerifyPassword,
)
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.jose import SigningKey

from portico_fakes.accepted_documents import AcceptedDocuments
from portico_fakes.authz_email_codes import FakeEmailCodes
from portico_fakes.authz_enrolment import FakeEnrolments
from portico_fakes.authz_exemptions import FakeExemptions
from portico_fakes.authz_external import FakeProviders
from portico_fakes.authz_factors import FakeFactors
from portico_fakes.consents import consent_of
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_watermarks import MemoryWatermarks

CALLBACK: Final = "https://app.example.test/cb"
PASSWORD: Final = "correct horse battery"
ADA: Final = User(user_id="u-ada", org_id="org-1", user_name="ada", login_name="ada@example.test", human=True)
BOB: Final = User(user_id="u-bob", org_id="org-2", user_name="bob", login_name="bob@other.test", human=True)

SLOW_DOWN = ErrorCode("TEST-010", Kind.TOO_MANY_REQUESTS, "Too many attempts.")
TOO_SHORT = ErrorCode("TEST-011", Kind.INVALID_REQUEST, "The password is too short.")
NOT_A_MAIL = ErrorCode("TEST-012", Kind.INVALID_REQUEST, "Invalid email address.")
NO_SUCH_ORGANIZATION = ErrorCode("TEST-013", Kind.NOT_FOUND, "Organization not found.")

NAME_TAKEN = ErrorCode("TEST-040", Kind.ALREADY_EXISTS, "This name is already in use.")

RIGHT_CODE: Final = "K7PQ2M"
DOMAINS: Final = {"example.test": "org-1", "other.test": "org-2"}

WEB: Final = Client(
    client_id="web",
    kind=ClientKind.OIDC,
    name="Demo shop",
    app_id="app-web",
    project_id="project-1",
    org_id="org-1",
    auth_method=AuthMethod.CLIENT_SECRET_BASIC,
    audience=("web", "project-1"),
    redirect_uris=(CALLBACK, f"{CALLBACK}?keep=1"),
    response_types=("code",),
    grant_types=("authorization_code",),
)


class FakeUsers:
    """Answers for users: every entry of the dictionaries exists and is active."""

    def __init__(self, bus: MemoryBus) -> None:
        self.clients = {client.client_id: client for client in (WEB, replace(WEB, client_id="other"))}
        self.people = {user.user_id: user for user in (ADA, BOB)}
        self.passwords = {user.user_id: PASSWORD for user in (ADA, BOB)}
        self.migrating: dict[str, User] = {}
        """Users of an old system by login name, created at their first sign-in with `PASSWORD`."""
        self.client_metadata, self.wait_seconds, self.assertions = False, 0, False
        self.policies = {org_id: LoginPolicy() for org_id in ("", "org-1", "org-2")}
        self.attempts: list[VerifyPassword] = []
        self.registered: list[Register] = []
        self.mailed: list[SendEmailCode] = []
        self.challenges: dict[str, str] = {}
        """User whose address a challenge verifies; empty if the address already had an account."""
        self.mails: dict[str, str] = {"ada@mail.test": "u-ada", "bob@mail.test": "u-bob"}
        """User by verified address."""
        self.taken: set[str] = set()
        """Addresses that another account got while a code was being sent."""
        self.proved: list[str] = []
        """Ids of users whose password, or address after a registration, was verified."""
        self.consents: dict[tuple[str, str], tuple[str | ApiScope, ...]] = {}
        """By user and client id; a text is a scope that no API defines."""
        self.texts: dict[str, DescribedScope] = {}
        self.apis: dict[str, tuple[Api, ...]] = {}
        self.now = 0.0
        """Time of password changes; 0 for a replica that does not send it."""
        self.admissions: dict[tuple[str, str], ProjectAccess] = {}
        """By user and project; others have no access."""
        self.redis_marks, self.exemptions = MemoryWatermarks(bus), FakeExemptions(bus)
        bus.respond(CHECK_PROJECT_ACCESS, self._admission)
        bus.respond(GET_CLIENT, self._client)
        self.documents = AcceptedDocuments(bus, self.clients)
        bus.respond(GET_APIS, self._apis)
        bus.respond(GET_USED_GRANT_TYPES, self._used_grant_types)
        bus.respond(GET_CONSENT, self._consent)
        bus.respond(GIVE_CONSENT, self._give)
        bus.respond(DESCRIBE_SCOPES, self._describe)
        bus.respond(GET_USER, self._user)
        bus.respond(FIND_USER, self._find)
        bus.respond(GET_LOGIN_POLICY, self._policy)
        bus.respond(FIND_ORGANIZATION, self._organization)
        bus.respond(VERIFY_PASSWORD, self._verify)
        bus.respond(CHANGE_PASSWORD, self._change_password)
        bus.respond(REGISTER, self._register)
        bus.respond(SEND_EMAIL_CODE, self._send_code)
        bus.respond(VERIFY_EMAIL, self._verify_mail)

    def register(self, client_id: str, **fields: Any) -> Client:
        """Registers a client like `WEB` with other fields."""
        self.clients[client_id] = replace(WEB, client_id=client_id, **fields)
        return self.clients[client_id]

    def set_policy(
        self,
        org_id: str,
        **fields: bool | int | str | PasswordRules | Branding | tuple[Factor, ...] | tuple[OfferedProvider, ...],
    ) -> None:
        self.policies[org_id] = replace(self.policies[org_id], **fields)

    async def _client(self, ask: GetClient) -> ClientFound:
        return ClientFound(client=self.clients.get(ask.client_id))

    async def _consent(self, ask: GetConsent) -> ConsentFound:
        user = self.people.get(ask.user_id)
        allowed = self.consents.get((ask.user_id, ask.client_id), ())
        return consent_of(allowed, user.version, user.org_id) if user else ConsentFound()

    async def _give(self, ask: GiveConsent) -> ConsentGiven:
        place = (ask.user_id, ask.client_id)
        self.consents[place] = tuple(dict.fromkeys((*self.consents.get(place, ()), *ask.scopes, *ask.of_apis)))
        self.people[ask.user_id] = replace(user := self.people[ask.user_id], version=f"{user.version}+")
        return ConsentGiven()

    async def _describe(self, ask: DescribeScopes) -> ScopesDescribed:
        return ScopesDescribed(tuple(self.texts[one] for one in ask.scopes if one in self.texts), "Acme")

    async def _used_grant_types(self, ask: GetUsedGrantTypes) -> UsedGrantTypes:
        dpop = any(client.dpop is not Dpop.OFF for client in self.clients.values())
        found = tuple(one for one in ask.grant_types if any(one in two.grant_types for two in self.clients.values()))
        return UsedGrantTypes(found, self.client_metadata, dpop, assertions=self.assertions)

    async def _apis(self, ask: GetApis) -> ApisFound:
        return ApisFound(apis=self.apis.get(ask.client_id, ()))

    async def _user(self, ask: GetUser) -> UserFound:
        return UserFound(user=self.people.get(ask.user_id))

    async def _find(self, ask: FindUser) -> UserFound:
        typed = ask.login_name.casefold()
        names = (user for user in self.people.values() if typed in (user.user_name, user.login_name))
        user = next(names, self.people.get(self.mails.get(typed, "")))
        return UserFound(user=user if user and ask.org_id in ("", user.org_id) else None)

    async def _admission(self, ask: CheckProjectAccess) -> ProjectAccess:
        access = self.admissions.get((ask.user_id, ask.project_id), ProjectAccess())
        return replace(access, version=self.people[ask.user_id].version if ask.user_id in self.people else "")

    async def _policy(self, ask: GetLoginPolicy) -> LoginPolicy:
        if ask.org_id not in self.policies:
            raise NO_SUCH_ORGANIZATION.error()
        return self.policies[ask.org_id]

    async def _organization(self, ask: FindOrganization) -> OrganizationFound:
        return OrganizationFound(org_id=DOMAINS.get(ask.domain, ""))

    async def _verify(self, ask: VerifyPassword) -> PasswordVerified:
        self.attempts.append(ask)
        self._refuse_haste()
        for user in self.people.values():
            named = ask.login_name in (user.user_name, user.login_name) and ask.org_id in ("", user.org_id)
            known = self.passwords.get(user.user_id) if self.policies[user.org_id].password_sign_in else None
            if named and ask.password == known:
                self.proved.append(user.user_id)
                return PasswordVerified(user=user)
            if named:
                return PasswordVerified(attempted=user.user_id)
        if migrated := self.migrating.pop(ask.login_name, None) if ask.password == PASSWORD else None:
            self.people[migrated.user_id], self.passwords[migrated.user_id] = migrated, PASSWORD
        return PasswordVerified(user=migrated)

    async def _change_password(self, ask: ChangePassword) -> PasswordChanged:
        if len(ask.new_password) < 8:
            raise TOO_SHORT.error()
        if self.passwords.get(ask.user_id) != ask.current_password:
            return PasswordChanged()
        self.passwords[ask.user_id] = ask.new_password
        self.proved.append(ask.user_id)
        user = self.people[ask.user_id]
        self.people[ask.user_id] = replace(
            user, password_change_required=False, password_changed=self.now, trust_epoch=user.trust_epoch + 1
        )
        return PasswordChanged(user=self.people[ask.user_id])

    async def _register(self, ask: Register) -> EmailCodeSent:
        self.registered.append(ask)
        self._refuse_haste()
        if "@" not in ask.email:
            raise NOT_A_MAIL.error()
        challenge = f"challenge-{len(self.challenges)}"
        is_new = all(user.login_name != ask.email for user in self.people.values())
        self.challenges[challenge] = f"u-{ask.email}" if is_new else ""
        if is_new:
            user = User(user_id=f"u-{ask.email}", org_id=ask.org_id or "org-1", user_name=ask.email,
                        login_name=ask.email, human=True, has_password=bool(ask.password))  # fmt: skip
            self.people[user.user_id] = user
            self.passwords[user.user_id] = ask.password
        return EmailCodeSent(challenge=challenge, mail=ask.email)

    async def _send_code(self, ask: SendEmailCode) -> EmailCodeSent:
        self.mailed.append(ask)
        self._refuse_haste()
        challenge = f"challenge-{len(self.challenges)}"
        self.challenges[challenge] = ask.user_id or self.challenges.pop(ask.challenge)
        return EmailCodeSent(challenge=challenge, mail="ada@mail.test")

    async def _verify_mail(self, ask: VerifyEmail) -> EmailVerified:
        self._refuse_haste()
        user_id = self.challenges.get(ask.challenge, "")
        if ask.code != RIGHT_CODE or user_id not in self.people:
            return EmailVerified()
        if user_id.removeprefix("u-") in self.taken:
            raise NAME_TAKEN.error()
        del self.challenges[ask.challenge]
        if user_id not in (ADA.user_id, BOB.user_id):
            self.proved.append(user_id)
        self.people[user_id] = replace(self.people[user_id], email_verified=True)
        return EmailVerified(user=self.people[user_id])

    def _refuse_haste(self) -> None:
        if self.wait_seconds:
            raise SLOW_DOWN.error(retry_after=self.wait_seconds)


class FakePeers(FakeUsers):
    def __init__(self, bus: MemoryBus) -> None:
        super().__init__(bus)
        self.factors = FakeFactors(bus, self.people, self.proved, self._refuse_haste)
        self.email_codes = FakeEmailCodes(bus, self.people, self.proved, self._refuse_haste)
        self.enrolments = FakeEnrolments(bus, self.people, self._refuse_haste)
        self.providers = FakeProviders(bus, self.people, self.proved)
        self.signing = SigningKey.generate("kid-1", "ES256")
        self.expired: list[SigningKey] = []
        self.issued: list[IssueImplicitTokens] = []
        self.revoked: list[RevokeSession] = []
        self.signed: list[SignLogoutTokens] = []
        bus.respond(PUBLIC_KEYS, self._keys)
        bus.respond(ISSUE_IMPLICIT_TOKENS, self._issue)
        bus.respond(REVOKE_SESSION, self._revoke)
        bus.respond(SIGN_LOGOUT_TOKENS, self._sign_logout)

    def sign(self, claims: Mapping[str, object], *, typ: str = "JWT") -> str:
        return self.signing.sign(msgspec.json.encode(claims), typ=typ)

    def rotate_key(self, kid: str, *, keep: bool) -> None:
        """Replaces the key; `keep` retains the old one for hints."""
        self.expired = [self.signing] if keep else []
        self.signing = SigningKey.generate(kid, "ES256")

    async def _keys(self, _ask: GetPublicKeys) -> PublicKeys:
        return PublicKeys(jwks=(self.signing.public_jwk(),), expired=tuple(key.public_jwk() for key in self.expired))

    async def _issue(self, ask: IssueImplicitTokens) -> ImplicitTokens:
        self.issued.append(ask)
        id_token = self.sign({"iss": "https://id.example.test", "sub": ask.grant.user_id, "sid": ask.grant.session_id,
                              "azp": ask.grant.client_id, "nonce": ask.grant.nonce})  # fmt: skip
        if not ask.with_access_token:
            return ImplicitTokens(id_token=id_token)
        scope = " ".join(ask.grant.scope)
        return ImplicitTokens(id_token=id_token, access_token="an-access-token", expires_in=3_600, scope=scope)

    async def _revoke(self, ask: RevokeSession) -> Revoked:
        self.revoked.append(ask)
        return Revoked(grants=1)

    async def _sign_logout(self, ask: SignLogoutTokens) -> LogoutTokens:
        self.signed.append(ask)
        return LogoutTokens(
            tokens=tuple(
                self.sign({"aud": [notice.client_id], "sid": notice.session_id}, typ="logout+jwt")
                if notice.client_id in self.clients
                else ""
                for notice in ask.notices
            )
        )
