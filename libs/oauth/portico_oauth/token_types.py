"""Token type identifiers (RFC 8693 section 3)."""

from __future__ import annotations

from typing import Final

ACCESS_TOKEN: Final = "urn:ietf:params:oauth:token-type:access_token"
USER_ID: Final = "urn:portico:params:oauth:token-type:user_id"
"""The id of a user, for whom the user of an actor_token acts (decision 0096)."""
