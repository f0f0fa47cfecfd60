"""Bearer authentication for our own APIs, which are no clients and have no credentials for introspection."""

from __future__ import annotations

from portico_contracts.token import AuthenticateBearer, Bearer, BearerFound

from portico_token.active_tokens import ActiveTokens


class BearerAuthentication:
    """Answers `AUTHENTICATE_BEARER`."""

    def __init__(self, tokens: ActiveTokens) -> None:
        self._tokens = tokens

    async def authenticate(self, request: AuthenticateBearer) -> BearerFound:
        """The caller, when the token is active and the requesting API is in its audience; otherwise empty (IR-01, MG-06).

        Raises:
            ServiceError: `unavailable` when a store or users cannot be reached.
        """
        active = await self._tokens.find(request.token)
        if active is None or active.person.user is None or request.audience not in active.audience:
            return BearerFound()
        # Access that was taken away ends the tokens there are (decision 0085).
        if active.client is not None and not active.client.management_access:
            return BearerFound()
        bearer = Bearer(
            user_id=active.user_id,
            org_id=active.person.user.org_id,
            client_id=active.client_id,
            scope=active.scope,
            expires=active.expires,
            auth_time=active.auth_time,
            acr=active.acr,
            session_id=active.session_id,
            auth_time_proven=active.auth_time_proven,
        )
        return BearerFound(bearer=bearer)
