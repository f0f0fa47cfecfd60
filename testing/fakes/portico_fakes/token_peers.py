from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace
from portico_contracts.authz import (
    BEGIN_DEVICE,
    LIST_SESSIONS,
    PUSH_REQUEST,
    REDEEM_CODE,
    REDEEM_DEVICE,
    BeginDevice,
    CodeGrant,
    CodeRedeemed,
    DeviceBegun,
    DeviceRedeemed,
    ListSessions,
    PushRequest,
    RedeemCode,
    RedeemDevice,
    RequestPushed,
    SessionState,
    SessionStates,
)
from portico_contracts.error_ids import CODE_VERIFIER_MISSING
from portico_contracts.keys import (
    ACTIVE_KEYS,
    PUBLIC_KEYS,
    ActiveKeys,
    GetActiveKeys,
    GetPublicKeys,
    PublicKeys,
    SealedKey,
)
from portico_contracts.users import (
    ACT_FOR_USER,
    CALL_TOKEN_HOOK,
    CHECK_ORIGIN,
    CHECK_PROJECT_ACCESS,
    GET_APIS,
    GET_AUDIENCES,
    GET_CLAIMS,
    GET_CLIENT,
    GET_CONSENT,
    GET_GROUPS,
    GET_ISSUER_KEYS,
    GET_ROLES,
    GET_SERVICE_USER,
    GET_USER,
    REQUEST_ASSERTION,
    ActForUser,
    Api,
    ApiScope,
    ApisFound,
    AssertionRefusal,
    AssertionRequested,
    CallTokenHook,
    CheckOrigin,
    CheckProjectAccess,
    Client,
    ClientFound,
    ConsentFound,
    GetApis,
    GetAudiences,
    GetClaims,
    GetClient,
    GetConsent,
    GetGroups,
    GetIssuerKeys,
    GetRoles,
    GetServiceUser,
    GetUser,
    Groups,
    IssuerKeys,
    MayAct,
    OriginChecked,
    ProjectAccess,
    ProjectAudiences,
    RequestAssertion,
    Roles,
    ServiceUser,
    ServiceUserFound,
    TokenHookCalled,
    UserClaims,
    UserFound,
)
from portico_oauth import pkce
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.jose import SigningKey
from portico_oauth.sealing import seal_for
from portico_runtime.bus.bus import Bus

from portico_fakes.accepted_documents import AcceptedDocuments
from portico_fakes.accepted_trusts import AcceptedTrusts
from portico_fakes.consents import consent_of
from portico_fakes.memory_watermarks import MemoryWatermarks

INVALID_CODE = ErrorCode("TEST-001", Kind.INVALID_GRANT, "The code is invalid, expired or already used.")
SCOPE_REFUSED = ErrorCode("TEST-003", Kind.INVALID_SCOPE, "The scope is refused.")
MAY_NOT_ACT = ErrorCode("TEST-004", Kind.INVALID_REQUEST, "The actor may not act for this user.")
VERIFIER_MISSING: Final = "The code_verifier is missing, or not expected."


class FakeUsers:
    """Answers for users: the entries of the dictionaries exist and are active."""

    def __init__(self, bus: Bus) -> None:
        self.clients: dict[str, Client] = {}
        self.people: dict[str, UserClaims] = {}
        self.roles: dict[tuple[str, str], dict[str, dict[str, str]]] = {}
        """By user and project."""
        self.service_users: dict[str, ServiceUser] = {}
        self.audiences: dict[str, tuple[str, ...]] = {}
        """By project."""
        self.apis: dict[str, tuple[Api, ...]] = {}
        """By client id of the application, or id of the service user."""
        self.consents: dict[tuple[str, str], tuple[str | ApiScope, ...]] = {}
        """By user and client id; a text is a scope that no API defines."""
        self.foreign: set[str] = set()
        """Projects outside the client's reach."""
        self.admissions: dict[tuple[str, str], ProjectAccess] = {}
        """By user and project; a missing entry admits users of the project's organization only."""
        self.groups: dict[str, tuple[str, ...]] = {}
        """Names of groups by user."""
        self.may_act: set[tuple[str, str]] = set()
        """Pairs of an actor and a user."""
        self.acted: list[ActForUser] = []
        self.hook: TokenHookCalled | ErrorCode = TokenHookCalled()
        """What the token hook of every application gives."""
        self.hooked: list[CallTokenHook] = []
        self.assertion = AssertionRequested(refusal=AssertionRefusal.NOT_OFFERED)
        """What the rules of outside servers give for every user."""
        self.assertions_asked: list[RequestAssertion] = []
        self.issuer_keys: dict[str, IssuerKeys | ErrorCode] = {}
        """By issuer; others are not known."""
        self.keys_asked: list[GetIssuerKeys] = []
        self.redis_marks = MemoryWatermarks(bus)
        bus.respond(CALL_TOKEN_HOOK, self._call_hook)
        bus.respond(GET_ISSUER_KEYS, self._issuer_keys)
        bus.respond(REQUEST_ASSERTION, self._assert)
        bus.respond(CHECK_PROJECT_ACCESS, self._admission)
        bus.respond(ACT_FOR_USER, self._act)
        bus.respond(GET_CLIENT, self._client)
        self.documents, self.accepted = AcceptedDocuments(bus, self.clients), AcceptedTrusts(bus)
        bus.respond(GET_USER, self._user)
        bus.respond(GET_CLAIMS, self._claims)
        bus.respond(GET_ROLES, self._roles)
        bus.respond(GET_GROUPS, self._groups)
        bus.respond(GET_SERVICE_USER, self._service_user)
        bus.respond(GET_AUDIENCES, self._audiences)
        bus.respond(GET_APIS, self._apis)
        bus.respond(GET_CONSENT, self._consent)
        bus.respond(CHECK_ORIGIN, self._origin)

    async def _assert(self, ask: RequestAssertion) -> AssertionRequested:
        self.assertions_asked.append(ask)
        if ask.user_id or self.assertion.refusal is AssertionRefusal.NOT_OFFERED:
            return self.assertion
        return AssertionRequested(refusal=AssertionRefusal.USER)

    async def _act(self, ask: ActForUser) -> MayAct:
        if (ask.actor_id, ask.user_id) not in self.may_act:
            raise MAY_NOT_ACT.error()
        if not ask.only_asked:
            self.acted.append(ask)
        return MayAct()

    async def _call_hook(self, ask: CallTokenHook) -> TokenHookCalled:
        self.hooked.append(ask)
        if isinstance(self.hook, ErrorCode):
            raise self.hook.error()
        return self.hook

    async def _issuer_keys(self, ask: GetIssuerKeys) -> IssuerKeys:
        self.keys_asked.append(ask)
        await asyncio.sleep(0)  # others get a turn, as on a real bus
        found = self.issuer_keys.get(ask.issuer, IssuerKeys(is_known=False))
        if isinstance(found, ErrorCode):
            raise found.error()
        return found

    async def _client(self, ask: GetClient) -> ClientFound:
        return ClientFound(client=self.clients.get(ask.client_id))

    async def _user(self, ask: GetUser) -> UserFound:
        return UserFound(user=(await self._claims(GetClaims(user_id=ask.user_id))).user)

    async def _claims(self, ask: GetClaims) -> UserClaims:
        return self.people.get(ask.user_id, UserClaims())

    async def _roles(self, ask: GetRoles) -> Roles:
        found = {project: self.roles.get((ask.user_id, project)) for project in ask.project_ids}
        named = {project: roles for project, roles in found.items() if roles}
        return Roles(roles=named, version=self._version_of(ask.user_id))

    async def _groups(self, ask: GetGroups) -> Groups:
        names = self.groups.get(ask.user_id, ())
        return Groups(names=names, version=self._version_of(ask.user_id))

    async def _admission(self, ask: CheckProjectAccess) -> ProjectAccess:
        access = self.admissions.get((ask.user_id, ask.project_id)) or self._of_owner(ask)
        return replace(access, version=self._version_of(ask.user_id))

    def _of_owner(self, ask: CheckProjectAccess) -> ProjectAccess:
        person = self.people.get(ask.user_id, UserClaims()).user
        owners = {one.org_id for one in self.clients.values() if one.project_id == ask.project_id}
        return ProjectAccess(has_project=person is not None and person.org_id in owners)

    def _version_of(self, user_id: str) -> str:
        person = self.people.get(user_id, UserClaims()).user
        return person.version if person else ""

    async def _service_user(self, ask: GetServiceUser) -> ServiceUserFound:
        found = self.service_users.values()
        by_name = (one for one in found if one.user.user_name == ask.client_id)
        return ServiceUserFound(service_user=self.service_users.get(ask.client_id) or next(by_name, None))

    async def _audiences(self, ask: GetAudiences) -> ProjectAudiences:
        return ProjectAudiences(
            audiences={
                one: self.audiences[one] for one in ask.project_ids if one in self.audiences.keys() - self.foreign
            }
        )

    async def _apis(self, ask: GetApis) -> ApisFound:
        return ApisFound(apis=self.apis.get(ask.client_id, ()))

    async def _consent(self, ask: GetConsent) -> ConsentFound:
        allowed = self.consents.get((ask.user_id, ask.client_id), ())
        return consent_of(allowed, self._version_of(ask.user_id), "")

    async def _origin(self, ask: CheckOrigin) -> OriginChecked:
        return OriginChecked(known=any(ask.origin in client.origins for client in self.clients.values()))


@dataclass(slots=True)
class IssuedCode:
    grant: CodeGrant
    redirect_uri: str
    challenge: str = ""
    used: bool = False
    jkt: str = ""


class FakeAuthz:
    def __init__(self, bus: Bus) -> None:
        self.codes: dict[str, IssuedCode] = {}
        self.version: str | None = None
        self.pushed: list[PushRequest] = []
        self.begun: list[BeginDevice] = []
        self.devices: dict[str, CodeGrant | ErrorCode] = {}
        """By device code: what a poll gets."""
        self.sessions = {"session-1"}
        """Live sessions of every user."""
        bus.respond(LIST_SESSIONS, self._list_sessions)
        bus.respond(REDEEM_CODE, self._redeem)
        bus.respond(PUSH_REQUEST, self._push)
        bus.respond(BEGIN_DEVICE, self._begin)
        bus.respond(REDEEM_DEVICE, self._redeem_device)

    async def _list_sessions(self, _ask: ListSessions) -> SessionStates:
        live = sorted(self.sessions)
        return SessionStates(tuple(SessionState(session_id=one, auth_time=0, used_at=0, amr=()) for one in live))

    async def _push(self, message: PushRequest) -> RequestPushed:
        self.pushed.append(message)
        if message.parameters.get("scope") == "refused":
            raise SCOPE_REFUSED.error()
        return RequestPushed(request_uri=f"urn:ietf:params:oauth:request_uri:{len(self.pushed)}", expires_in=60)

    async def _begin(self, ask: BeginDevice) -> DeviceBegun:
        self.begun.append(ask)
        return DeviceBegun("device-code", "BCDFGHJK", 600, 5)

    async def _redeem_device(self, ask: RedeemDevice) -> DeviceRedeemed:
        found = self.devices.get(ask.device_code, INVALID_CODE)
        if isinstance(found, ErrorCode):
            raise found.error()
        return DeviceRedeemed(found)

    async def _redeem(self, ask: RedeemCode) -> CodeRedeemed:
        issued = self.codes.get(ask.code)
        if issued is None or (issued.grant.client_id, issued.redirect_uri) != (ask.client_id, ask.redirect_uri):
            raise INVALID_CODE.error()
        if bool(issued.challenge) != bool(ask.code_verifier):
            raise ServiceError(Kind.INVALID_REQUEST, CODE_VERIFIER_MISSING, VERIFIER_MISSING)
        if issued.challenge and pkce.challenge_of(ask.code_verifier) != issued.challenge:
            raise INVALID_CODE.error()
        if issued.jkt and issued.jkt != ask.jkt:
            raise INVALID_CODE.error()
        if issued.used:
            return CodeRedeemed(spent_grant_id=issued.grant.grant_id)
        issued.used = True
        await asyncio.sleep(0)  # others get a turn between the claim and the answer, as on a real bus
        return CodeRedeemed(grant=issued.grant, version=self.version)


@dataclass(slots=True)
class PlannedKey:
    key: SigningKey
    activates_at: float = 0.0


class FakeKeys:
    def __init__(self, bus: Bus, keys: Sequence[SigningKey]) -> None:
        self.signing = [PlannedKey(key) for key in keys]
        self.published = list(keys)
        self.revoked: list[str] = []
        self.lease = 60.0
        self.leased = 0
        """Answers with published keys, the second and last of a lease."""
        bus.respond(ACTIVE_KEYS, self._active)
        bus.respond(PUBLIC_KEYS, self._public)

    async def _active(self, ask: GetActiveKeys) -> ActiveKeys:
        return ActiveKeys(keys=tuple(_sealed(planned, ask.public_key) for planned in self.signing), lease=self.lease)

    async def _public(self, _ask: GetPublicKeys) -> PublicKeys:
        self.leased += 1
        return PublicKeys(jwks=tuple(key.public_jwk() for key in self.published), revoked=tuple(self.revoked))


def _sealed(planned: PlannedKey, asker: bytes) -> SealedKey:
    key = planned.key
    sealed = seal_for(asker, key.kid, key.der())
    return SealedKey(
        kid=key.kid,
        alg=key.alg,
        activates_at=planned.activates_at,
        sender_key=sealed.sender_key,
        nonce=sealed.nonce,
        sealed=sealed.sealed,
    )
