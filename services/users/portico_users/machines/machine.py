"""The service user."""

from __future__ import annotations

from portico_contracts.users import AccessTokenType

from portico_users.domain.records import Record


class Machine(Record, frozen=True, kw_only=True, tag_field="type", tag="machine"):
    """A user that is a program."""

    user_name: str
    name: str
    description: str = ""
    access_token_type: AccessTokenType = AccessTokenType.OPAQUE
