from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import quote_plus

import httpx
from portico_contracts import http
from portico_contracts.authz import CodeGrant
from portico_contracts.events import APP_CHANGED, KEY_ACTIVATED, USER_CHANGED, Changed, KeyEvent
from portico_contracts.users import (
    CERTIFICATE_METHODS,
    AccessTokenType,
    AuthMethod,
    Client,
    ClientKind,
    ServiceUser,
    User,
    UserClaims,
)
from portico_harness.asgi_life import alive
from portico_harness.eventually import HANGS
from portico_oauth.grant_types import JWT_BEARER
from portico_oauth.jose import SigningKey
from portico_oauth.opaque import bucket_of, fingerprint, new_opaque
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock
from portico_runtime.process.health import Health
from portico_runtime.versioned_cache.memory import VersionedCache
from portico_token.app import Parts, create_app
from portico_token.settings import Settings

from portico_fakes.application_client import ApplicationClient
from portico_fakes.certificates import ALIAS, KEY_OF_GATEWAY, SUBJECT, authority_file
from portico_fakes.memory_assertions import MemoryAssertions
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.memory_revocations import MemoryRevocations
from portico_fakes.memory_versions import MemoryVersions
from portico_fakes.randomness import seeded_bytes
from portico_fakes.token_peers import FakeAuthz, FakeKeys, FakeUsers, IssuedCode

ISSUER = "https://id.example.test"
CALLBACK = "https://app.example.test/cb"
SECRET = "s3cret-of-the-web-app"
USER = "user-1"


class Peers(NamedTuple):
    users: FakeUsers
    authz: FakeAuthz
    keys: FakeKeys


class TokenService:
    def __init__(self, peers: Peers, bus: Bus, clock: Clock, settings: Settings, parts: Parts | None = None) -> None:
        """Creates the service; `running` starts it.

        Args:
            parts: the parts to build on; defaults to those named by the settings.
        """
        self.users, self.authz, self.keys = peers
        self.bus = bus
        self.clock = clock
        self.random = seeded_bytes(11)
        self.parts = parts
        self.app, self.health = create_app(settings, parts=parts)
        self.http = ApplicationClient(self.app, ISSUER)
        self.users.people[USER] = UserClaims(
            user=User(user_id=USER, org_id="org-1", user_name="ada", login_name="ada@example.test", human=True)
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[TokenService]:
        async with alive(self.app):
            await until_ready(self.health)
            yield self

    def register(self, client_id: str, method: AuthMethod = AuthMethod.CLIENT_SECRET_BASIC, **fields: Any) -> Client:
        """Registers a client for the code flow, with `SECRET` unless given otherwise."""
        values = {
            "kind": ClientKind.OIDC,
            "name": client_id,
            "app_id": f"app-{client_id}",
            "project_id": "project-1",
            "org_id": "org-1",
            "audience": ("sibling", client_id, "project-1"),
            "secret_hash": "" if method in (AuthMethod.NONE, *CERTIFICATE_METHODS) else fingerprint(SECRET),
            "certificate_subject": SUBJECT if method is AuthMethod.TLS_CLIENT_AUTH else "",
            "redirect_uris": (CALLBACK,),
            "grant_types": ("authorization_code",),
            "access_token_type": AccessTokenType.OPAQUE,
            "id_token_alg": "ES256",
            **fields,
        }
        client = Client(client_id=client_id, auth_method=method, **values)
        self.users.clients[client_id] = client
        return client

    def register_service_user(self, user_id: str, **fields: Any) -> ServiceUser:
        """Registers a service user named ``<id>-name``, with `SECRET` unless given otherwise."""
        user = User(
            user_id=user_id,
            org_id="org-1",
            user_name=f"{user_id}-name",
            login_name=f"{user_id}-name@example.test",
            human=False,
        )
        service_user = ServiceUser(user=user, **{"secret_hash": fingerprint(SECRET), **fields})
        self.users.service_users[user_id] = service_user
        self.users.people[user_id] = UserClaims(user=user, org_name="Analysts", org_domain="example.test")
        return service_user

    def issue_code(self, client_id: str, *, challenge: str = "", jkt: str = "", **fields: Any) -> str:
        grant_id = new_opaque(bucket_of(fields.get("user_id", USER)), self.random, 128)
        code = new_opaque(grant_id[:2], self.random)
        values = {
            "user_id": USER,
            "session_id": "session-1",
            "scope": ("openid",),
            "auth_time": int(self.clock.now()) - 5,
            "amr": ("pwd",),
            "acr": "urn:portico:acr:pwd",
            "auth_time_proven": True,
            **fields,
        }
        grant = CodeGrant(grant_id=grant_id, client_id=client_id, **values)
        self.authz.codes[code] = IssuedCode(grant, CALLBACK, challenge, jkt=jkt)
        return code

    async def token(
        self, form: Mapping[str, str] | str, *, basic: tuple[str, str] | None = None, **options: Any
    ) -> httpx.Response:
        body = form if isinstance(form, str) else httpx.QueryParams(dict(form)).__str__()
        headers = {"Content-Type": "application/x-www-form-urlencoded", **options.pop("headers", {})}
        if basic:
            headers["Authorization"] = basic_header(*basic)
        return await self.http.post(http.TOKEN, content=body, headers=headers, **options)

    async def redeem(self, code: str, client_id: str, /, **form: str) -> httpx.Response:
        asked = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, **form}
        return await self.token(asked, basic=(client_id, SECRET))

    async def refresh(self, refresh_token: str, client_id: str, /, **form: str) -> httpx.Response:
        asked = {"grant_type": "refresh_token", "refresh_token": refresh_token, **form}
        return await self.token(asked, basic=(client_id, SECRET))

    async def client_credentials(self, client_id: str, /, **form: str) -> httpx.Response:
        asked = {"grant_type": "client_credentials", "scope": "openid", **form}
        return await self.token(asked, basic=(client_id, SECRET))

    async def jwt_bearer(self, assertion: str, /, **form: str) -> httpx.Response:
        return await self.token({"grant_type": JWT_BEARER, "assertion": assertion, "scope": "openid", **form})

    async def userinfo(self, access_token: str) -> httpx.Response:
        return await self.http.get(http.USERINFO, headers={"Authorization": f"Bearer {access_token}"})

    async def introspect(self, token: str, client_id: str, **options: Any) -> httpx.Response:
        return await self.about(http.INTROSPECT, token, basic=(client_id, SECRET), **options)

    async def revoke(self, token: str, client_id: str, **options: Any) -> httpx.Response:
        return await self.about(http.REVOKE, token, basic=(client_id, SECRET), **options)

    async def about(
        self, path: str, token: str, *, basic: tuple[str, str] | None = None, **form: Any
    ) -> httpx.Response:
        headers = {"Authorization": basic_header(*basic)} if basic else {}
        return await self.http.post(path, data={"token": token, **form}, headers=headers)

    async def publish_app_changed(self) -> None:
        await self.bus.publish(APP_CHANGED, _changed("app", self.clock.now()), event_id="app")

    async def publish_user_changed(self, user_id: str = USER) -> None:
        await self.bus.publish(USER_CHANGED, _changed(user_id, self.clock.now()), event_id=user_id)

    async def receive_keys(self) -> None:
        leased = self.keys.leased
        said = KeyEvent(event_id=f"e{leased}", kid="any", at=self.clock.now())
        await self.bus.publish(KEY_ACTIVATED, said, event_id=said.event_id)
        async with asyncio.timeout(HANGS):
            while self.keys.leased == leased:  # noqa: ASYNC110 - the service has no event to wait for
                await asyncio.sleep(0)


def token_service_in_memory(
    clock: Clock,
    bus: MemoryBus,
    grants: MemoryGrants,
    keys: Sequence[SigningKey],
    revocations: MemoryRevocations | None = None,
    assertions: MemoryAssertions | None = None,
    monotonic: Callable[[], float] | None = None,
    versions: MemoryVersions | None = None,
    *,
    zitadel_names: bool = False,
    certificates: bool = True,
) -> TokenService:
    """Returns one replica without any server, with a frozen clock; a test that turns time back passes `monotonic`.

    Args:
        versions: of the versioned cache; without it, each request asks users.
        certificates: it accepts client certificates from its gateway.
    """
    peers = Peers(FakeUsers(bus), FakeAuthz(bus), FakeKeys(bus, keys))
    parts = Parts(
        bus=bus,
        clock=clock,
        random=seeded_bytes(13),
        grants=grants,
        revocations=revocations or MemoryRevocations(grants, clock),
        assertions=assertions or MemoryAssertions(clock),
        memory=VersionedCache(versions, clock, most=1_000, monotonic=monotonic or clock.now),
        monotonic=monotonic or clock.now,
    )
    mtls: dict[str, Any] = (
        {"mtls_url": ALIAS, "mtls_ca_file": authority_file(), "mtls_gateway_key": KEY_OF_GATEWAY}
        if certificates
        else {}
    )
    return TokenService(peers, bus, clock, Settings(issuer=ISSUER, zitadel_names=zitadel_names, **mtls), parts)


def basic_header(client_id: str, secret: str) -> str:
    """RFC 6749 §2.3.1: each part is form-encoded, then the pair is base64-encoded."""
    return "Basic " + base64.b64encode(f"{quote_plus(client_id)}:{quote_plus(secret)}".encode()).decode()


async def until_ready(health: Health) -> None:
    async with asyncio.timeout(HANGS):
        while set((await health.state()).values()) != {"ok"}:
            pass


def _changed(aggregate_id: str, at: float) -> Changed:
    return Changed(event_id="e", aggregate_id=aggregate_id, org_id="org-1", sequence=1, at=at, actor="system")
