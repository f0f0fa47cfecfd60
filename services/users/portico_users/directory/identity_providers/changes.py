"""Changes of identity providers, as entries for the journal."""

from __future__ import annotations

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.identity_providers.rules import Allowed, problems_of
from portico_users.directory.identity_providers.store import IDPS
from portico_users.kernel.entry import Entry
from portico_users.kernel.problems import refuse_first
from portico_users.kernel.records import State

OTHER_KIND = ErrorCode(
    "USER-607",
    Kind.FAILED_PRECONDITION,
    "This identity provider is of another kind.",
    "Change it at the path of its own kind.",
)
SECRET_NEEDED = ErrorCode(
    "USER-608",
    Kind.INVALID_REQUEST,
    "Another issuer needs the client secret again.",
    "Send the secret that this issuer gave you.",
)


def put_idp(before: Idp | None, after: Idp, allowed: Allowed) -> Entry[Idp]:
    """Creates an identity provider, or changes one.

    Raises:
        ServiceError: what `problems_of` finds.
    """
    refuse_first(problems_of(after, allowed), "")
    return Entry(IDPS, before, after)


def without_secret(idp: Idp) -> Idp:
    """The identity provider, deleted with its secret."""
    return msgspec.structs.replace(idp, state=State.DELETED, sealed_secret="")
