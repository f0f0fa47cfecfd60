"""Token type identifiers (RFC 8693 section 3)."""

from __future__ import annotations

from typing import Final

ACCESS_TOKEN: Final = "urn:ietf:params:oauth:token-type:access_token"
ID_TOKEN: Final = "urn:ietf:params:oauth:token-type:id_token"
REFRESH_TOKEN: Final = "urn:ietf:params:oauth:token-type:refresh_token"
ID_JAG: Final = "urn:ietf:params:oauth:token-type:id-jag"
"""An assertion for an outside authorization server (draft-ietf-oauth-identity-assertion-authz-grant)."""
ID_JAG_TYPE: Final = "oauth-id-jag+jwt"
"""`typ` of such an assertion, which no token of ours has."""

USER_ID: Final = "urn:portico:params:oauth:token-type:user_id"
"""The id of a user, for whom the user of an actor_token acts (decision 0096)."""
