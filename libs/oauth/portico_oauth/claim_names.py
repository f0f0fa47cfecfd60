"""Names of claims, and which of them already have a meaning in tokens, userinfo or introspection."""

from __future__ import annotations

import re
from typing import Final

from portico_oauth.scopes import CLAIMS_OF_SCOPE, is_reserved

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.:/-]{0,99}\Z")

_JWT: Final = "iss sub aud exp nbf iat jti"
"""RFC 7519 section 4.1."""
_OIDC: Final = "auth_time nonce acr amr azp sid at_hash c_hash s_hash sub_jwk _claim_names _claim_sources"
"""OpenID Connect Core sections 2, 3.3.2.11, 5.6 and 7.4, and the Session specifications."""
_ACCESS_TOKEN: Final = "scope client_id cnf act may_act authorization_details ath htm htu jkt"
"""RFC 9068 section 2.2, RFC 8693 section 4, RFC 9396, RFC 9449, RFC 7800."""
_ANSWERS: Final = "active token_type username events error error_description error_uri"
"""RFC 7662 section 2.2, RFC 8417, and errors of OAuth."""

PROTOCOL_CLAIMS: Final = frozenset(f"{_JWT} {_OIDC} {_ACCESS_TOKEN} {_ANSWERS}".split())
STANDARD_CLAIMS: Final = PROTOCOL_CLAIMS.union(*CLAIMS_OF_SCOPE.values())
"""With the claims of OIDC Core section 5.1 (JW-20)."""

PREFERRED_USERNAME: Final = "preferred_username"

_FOR_AUTHORIZATION: Final = frozenset({"roles", "groups", "entitlements"})
"""RFC 9068 section 2.2.3.1: the settings `rolesClaim` and `groupsClaim` may have these names."""
_TAKEN: Final = STANDARD_CLAIMS | _FOR_AUTHORIZATION


def is_claim_name(name: str) -> bool:
    return _NAME.match(name) is not None


def may_name_list(name: str) -> bool:
    """Reports whether a claim with roles or groups may have this name."""
    return is_claim_name(name) and name not in STANDARD_CLAIMS and not is_reserved(name)


def is_private(name: str) -> bool:
    """Reports whether an administrator's claim may have this name: no specification gives it a meaning, in any case."""
    return is_claim_name(name) and name.lower() not in _TAKEN and not is_reserved(name)
