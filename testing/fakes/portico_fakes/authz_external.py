from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from portico_contracts.users import (
    BEGIN_EXTERNAL,
    CREATE_EXTERNAL,
    FIND_INTENT,
    FINISH_EXTERNAL,
    LINK_EXTERNAL,
    RETURN_INTENT,
    VERIFY_LDAP,
    BeginExternal,
    CreateExternal,
    ExternalBegun,
    ExternalFinished,
    ExternalLinked,
    FindIntent,
    FinishExternal,
    IntentFlow,
    IntentReturned,
    LdapVerified,
    LinkExternal,
    OfferedProvider,
    Profile,
    ProviderKind,
    ProviderRedirect,
    ReturnIntent,
    User,
    VerifiedIdentity,
    VerifyLdap,
)
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.pkce import challenge_of

from portico_fakes.memory_bus import MemoryBus

ACME: Final = OfferedProvider(id="idp-acme", name="Acme", kind=ProviderKind.CODE)
GATE: Final = OfferedProvider(id="idp-gate", name="Gate", kind=ProviderKind.JWT)
DIRECTORY: Final = OfferedProvider(id="idp-directory", name="Staff directory", kind=ProviderKind.LDAP)
ENDPOINT: Final = "https://acme.example/authorize"
IDENTITY: Final = VerifiedIdentity(
    provider_id=ACME.id,
    issuer="https://acme.example",
    subject="subject-1",
    profile=Profile(user_name="ada.l", first_name="Ada", last_name="Lovelace", email="ada@acme.example"),
)

REFUSED = ErrorCode("TEST-050", Kind.PERMISSION_DENIED, "The provider's answer is not valid.")
TAKEN = ErrorCode("TEST-051", Kind.ALREADY_EXISTS, "This user name is taken.")
NO_INTENT = ErrorCode("TEST-053", Kind.NOT_FOUND, "There is no such intent.")
WAIT = ErrorCode("TEST-059", Kind.TOO_MANY_REQUESTS, "Too many wrong attempts.")
UNREACHABLE = ErrorCode("TEST-052", Kind.UNAVAILABLE, "The provider cannot be reached.")


class FakeProviders:
    """Providers that accept the code ``right`` or the JWT ``right`` for the flow that was started.

    As an LDAP server it has ``ada`` with the password ``right``; the password ``wait`` is one attempt too
    many, ``bad`` a fault.

    Attributes:
        begun, finished, linked, created: the requests of authz.
        entered: the LDAP logins.
        finds: result of a valid response.
        refuses_links: links are refused, as if the provider changed meanwhile.
        unreachable: the providers cannot be reached.
        intents: results of intents by state, each returned once.
        returned: the received callbacks of intents.
    """

    def __init__(self, bus: MemoryBus, people: dict[str, User], proved: list[str]) -> None:
        self._people = people
        self._proved = proved
        self.begun: list[BeginExternal] = []
        self.finished: list[FinishExternal] = []
        self.entered: list[VerifyLdap] = []
        self.linked: list[LinkExternal] = []
        self.created: list[CreateExternal] = []
        self.finds = ExternalFinished(identity=IDENTITY, onward=ProviderRedirect.NO_ACCOUNT)
        self.refuses_links = False
        self.unreachable = False
        self.form_post = False
        self.intents: dict[str, IntentFlow] = {}
        self.returned: list[ReturnIntent] = []
        bus.respond(FIND_INTENT, self._find_intent)
        bus.respond(RETURN_INTENT, self._return_intent)
        bus.respond(BEGIN_EXTERNAL, self._begin)
        bus.respond(FINISH_EXTERNAL, self._finish)
        bus.respond(VERIFY_LDAP, self._verify_ldap)
        bus.respond(LINK_EXTERNAL, self._link)
        bus.respond(CREATE_EXTERNAL, self._create)

    def find(self, onward: ProviderRedirect, user: User | None = None, **fields: bool | tuple[str, ...]) -> None:
        """Sets the result of valid responses."""
        self.finds = replace(self.finds, onward=onward, user=user, **fields)

    def state_time(self, auth_time: float) -> None:
        """Sets the auth_time of valid responses; 0 for none."""
        self.finds = replace(self.finds, identity=replace(IDENTITY, auth_time=int(auth_time)))

    async def _begin(self, ask: BeginExternal) -> ExternalBegun:
        self._need_providers()
        self.begun.append(ask)
        provider = GATE if ask.provider_id == GATE.id else ACME
        header = "x-gate-jwt" if provider is GATE else ""
        url = f"{ENDPOINT}?state={ask.state}"
        return ExternalBegun(url=url, provider=provider, form_post=self.form_post, jwt_header=header)

    async def _finish(self, ask: FinishExternal) -> ExternalFinished:
        self._need_providers()
        self.finished.append(ask)
        began = next(one for one in self.begun if one.nonce == ask.nonce)
        if challenge_of(ask.code_verifier) != began.code_challenge or "right" not in (
            ask.parameters.get("code"),
            ask.jwt,
        ):
            raise REFUSED.error()
        if self.finds.onward is ProviderRedirect.SIGNED_IN and self.finds.user:
            self._proved.append(self.finds.user.user_id)
        return self.finds

    async def _verify_ldap(self, ask: VerifyLdap) -> LdapVerified:
        self._need_providers()
        self.entered.append(ask)
        if ask.password in ("wait", "bad"):
            raise WAIT.error(retry_after=7) if ask.password == "wait" else REFUSED.error()
        if (ask.login_name, ask.password) != ("ada", "right"):
            return LdapVerified()
        if self.finds.onward is ProviderRedirect.SIGNED_IN and self.finds.user:
            self._proved.append(self.finds.user.user_id)
        return LdapVerified(finished=self.finds)

    async def _link(self, ask: LinkExternal) -> ExternalLinked:
        if self.refuses_links:
            raise REFUSED.error()
        self.linked.append(ask)
        user = self._people[ask.user_id]
        self._people[ask.user_id] = replace(user, trust_epoch=user.trust_epoch + 1)
        return ExternalLinked(user=self._people[ask.user_id])

    async def _create(self, ask: CreateExternal) -> ExternalLinked:
        if ask.profile.user_name in {user.user_name for user in self._people.values()}:
            raise TAKEN.error()
        self.created.append(ask)
        user = User(user_id="u-new", org_id="org-1", user_name=ask.profile.user_name,
                    login_name=f"{ask.profile.user_name}@example.test", human=True)  # fmt: skip
        self._people[user.user_id] = user
        self._proved.append(user.user_id)
        return ExternalLinked(user=user)

    async def _find_intent(self, ask: FindIntent) -> IntentFlow:
        if ask.state not in self.intents:
            raise NO_INTENT.error()
        return self.intents[ask.state]

    async def _return_intent(self, ask: ReturnIntent) -> IntentReturned:
        if self.intents.pop(ask.state, None) is None:
            raise NO_INTENT.error()
        self.returned.append(ask)
        return IntentReturned(url=f"https://pages.example/success?token={len(self.returned)}")

    def _need_providers(self) -> None:
        if self.unreachable:
            raise UNREACHABLE.error()
