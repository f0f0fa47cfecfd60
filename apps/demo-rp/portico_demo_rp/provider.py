from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import httpx2
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.starlette_client import OAuth
from joserfc.errors import JoseError
from portico_runtime.process.clock import Clock
from starlette.requests import Request
from starlette.responses import Response

from portico_demo_rp.logout_token import Logout, LogoutTokenRefused, LogoutTokens
from portico_demo_rp.memory import BegunSignIns, SignedIn
from portico_demo_rp.provider_transport import transport_to
from portico_demo_rp.settings import DemoRpSettings

PASSED_ON: Final = ("prompt", "max_age", "login_hint", "ui_locales", "acr_values", "scope", "response_mode")
"""Parameters of ``/login`` that are passed to the provider unchanged."""

_NewOAuth: Any = OAuth


class NotSignedIn(Exception):
    """The sign-in failed. `code` is an OAuth error code or a local one; `status` is that of the error page."""

    def __init__(self, code: str, text: str, status: int = 400) -> None:
        super().__init__(code)
        self.code = code
        self.text = text
        self.status = status


class Provider:
    def __init__(self, settings: DemoRpSettings, begun: BegunSignIns, clock: Clock) -> None:
        self._redirect_uri = settings.redirect_uri
        self._after_logout = settings.post_logout_redirect_uri
        self._logout_tokens = LogoutTokens(settings.client_id, clock)
        self._app: Any = _NewOAuth(cache=begun).register(
            "portico",
            client_id=settings.client_id,
            client_secret=settings.client_secret.get_secret_value() or None,
            server_metadata_url=f"{settings.issuer}/.well-known/openid-configuration",
            client_kwargs={
                "scope": settings.scope,
                "code_challenge_method": "S256",
                "token_endpoint_auth_method": settings.auth_method,
                "transport": transport_to(settings.issuer, settings.ca_file, settings.provider_at),
                "trust_env": False,
                "timeout": 10,
            },
        )

    async def send(self, request: Request) -> Response:
        extra = {name: request.query_params[name] for name in PASSED_ON if name in request.query_params}
        with _failures():
            response: Response = await self._app.authorize_redirect(request, self._redirect_uri, **extra)
            return response

    async def receive(self, request: Request) -> SignedIn:
        """Raises NotSignedIn for an error response, a failed check, or an unreachable provider."""
        with _failures():
            await self._refuse_foreign_issuer(request)
            token = await self._app.authorize_access_token(request)
            claims = dict(token.pop("userinfo"))
            userinfo = dict(await self._app.userinfo(token=token))
        if userinfo.get("sub") != claims["sub"]:
            # OIDC Core section 5.3.2: claims of another subject must not be used.
            raise NotSignedIn("invalid_userinfo", "userinfo speaks of another subject than the id_token")
        return SignedIn(token=dict(token), claims=claims, userinfo=userinfo)

    async def send_to_logout(self, request: Request, id_token: str) -> Response:
        """Redirects to the provider's logout (RP-Initiated Logout 1.0 section 2)."""
        with _failures():
            response: Response = await self._app.logout_redirect(request, self._after_logout, id_token or None)
            return response

    async def receive_from_logout(self, request: Request) -> None:
        """Raises NotSignedIn unless the redirect belongs to a logout that this browser started."""
        with _failures():
            await self._app.validate_logout_response(request)

    async def read_logout_token(self, token: str) -> Logout:
        with _failures():
            metadata: dict[str, Any] = await self._app.load_server_metadata()
            issuer: str = metadata["issuer"]
            try:
                return self._logout_tokens.read(token, issuer, await self._app.fetch_jwk_set())
            except LogoutTokenRefused:  # perhaps by a key that is newer than the set we have
                return self._logout_tokens.read(token, issuer, await self._app.fetch_jwk_set(force=True))

    async def _refuse_foreign_issuer(self, request: Request) -> None:
        """Checks `iss`, which is required when the provider advertises it (RFC 9207 section 2.4)."""
        metadata: dict[str, Any] = await self._app.load_server_metadata()
        if not metadata.get("authorization_response_iss_parameter_supported"):
            return
        if request.query_params.get("iss") != metadata["issuer"]:
            raise NotSignedIn("invalid_issuer", "the answer does not carry the issuer that was asked")


@contextmanager
def _failures() -> Iterator[None]:
    try:
        yield
    except OAuthError as error:
        raise NotSignedIn(error.error, error.description or "") from error
    except JoseError as error:
        raise NotSignedIn("invalid_id_token", error.error) from error
    except httpx2.HTTPError as error:
        raise NotSignedIn("provider_unavailable", f"{type(error).__name__}: {error}", 502) from error
