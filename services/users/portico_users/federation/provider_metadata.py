"""What an OpenID provider publishes of itself (OpenID Connect Discovery §3, RFC 8414)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from portico_runtime.addresses import AddressNotAllowed, read_web_address

from portico_users.federation.fetched_documents import FetchedDocuments
from portico_users.federation.refusals import OTHER_PROVIDER, UNREADABLE_ANSWER
from portico_users.kernel.operator_settings import OutboundAllowed

WELL_KNOWN: Final = "/.well-known/openid-configuration"


@dataclass(frozen=True, slots=True)
class ProviderMetadata:
    """The addresses of a provider, and what it supports.

    Args:
        userinfo_endpoint: empty for none.
        auth_methods: of the token endpoint; empty where it names none.
        sends_issuer: its answers carry ``iss`` (RFC 9207 §3).
    """

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""
    auth_methods: tuple[str, ...] = ()
    sends_issuer: bool = False


@dataclass(frozen=True, slots=True)
class Discovery:
    """Finds the metadata of providers by their issuers."""

    documents: FetchedDocuments
    allowed: OutboundAllowed

    async def find(self, idp_id: str, issuer: str, published: tuple[str, ...]) -> ProviderMetadata:
        """The metadata of an issuer. The addresses in it are looked at anew whenever they are asked (IP-03).

        Args:
            issuer: below which the document is.
            published: what it may name as its issuer.

        Raises:
            ServiceError: USER-961 and USER-962 where it cannot be read, USER-981 for that of another issuer.
        """

        def read(document: dict[str, Any]) -> ProviderMetadata:
            if document.get("issuer") not in published:
                raise OTHER_PROVIDER.error(issuer=str(document.get("issuer"))[:200])
            return self._read(document)

        url = issuer.removesuffix("/") + WELL_KNOWN
        return await self.documents.find(idp_id, url, read, lambda _: True)

    def _read(self, document: dict[str, Any]) -> ProviderMetadata:
        needed = [document.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
        userinfo = document.get("userinfo_endpoint", "")
        methods = document.get("token_endpoint_auth_methods_supported", [])
        if not isinstance(methods, list) or not all(isinstance(one, str) for one in (*needed, userinfo, *methods)):
            raise UNREADABLE_ANSWER.error(cause="metadata")
        authorization_endpoint, token_endpoint, jwks_uri = map(str, needed)
        try:
            read_web_address(authorization_endpoint, self.allowed)
        except AddressNotAllowed as error:
            raise UNREADABLE_ANSWER.error(cause=str(error)) from None
        if "#" in authorization_endpoint:
            raise UNREADABLE_ANSWER.error(cause="fragment")
        return ProviderMetadata(
            authorization_endpoint=authorization_endpoint,
            token_endpoint=token_endpoint,
            jwks_uri=jwks_uri,
            userinfo_endpoint=userinfo,
            auth_methods=tuple(methods),
            sends_issuer=document.get("authorization_response_iss_parameter_supported") is True,
        )
