"""Every Redis key of authz is made here: ``authz:{<bucket>}:<kind>:<hash>``.

The bucket stands in the identifier itself and is the hash tag; the identifier is hashed, so that neither
caller-chosen text nor a usable handle or code is ever part of a key.
"""

from __future__ import annotations

from typing import Final

from portico_oauth.opaque import bucket_in, bucket_of, fingerprint

CLIENT: Final = "client:"
"""What the fields of a session that name clients begin with."""


def is_ours(identifier: str) -> bool:
    """True for text that can be one of our identifiers; nothing else has a key."""
    return bucket_in(identifier) is not None


def browser(handle: str) -> str:
    """A browser record, by the handle in its cookie."""
    return _key("browser", handle)


def session(sid: str) -> str:
    """A session."""
    return _key("session", sid)


def sessions_of(user_id: str) -> str:
    """The sessions of a user, in the same bucket as they are."""
    return f"authz:{{{bucket_of(user_id)}}}:user:{fingerprint(user_id)}"


def client_field(client_id: str) -> str:
    """Field of a session: a client that was answered for it."""
    return f"{CLIENT}{client_id}"


def logout(id: str) -> str:
    """A logout that waits for its confirmation."""
    return _key("logout", id)


def endings() -> str:
    """Ended sessions because of which something is owed: one queue, in a slot of its own."""
    return "authz:{endings}:due"


def request(id: str) -> str:
    """An authorization request that waits for a person."""
    return _key("request", id)


def parked(id: str) -> str:
    """A posted authorization request on its way to a GET."""
    return _key("parked", id)


def code(code: str) -> str:
    """An authorization code."""
    return _key("code", code)


def code_named(reference: str) -> str:
    """The same, by what names the code (`domain.code.reference_of`)."""
    return f"authz:{{{reference[:2]}}}:code:{reference[2:]}"


def _key(kind: str, identifier: str) -> str:
    bucket = bucket_in(identifier)
    if bucket is None:
        raise ValueError(f"not an identifier of a {kind}")
    return f"authz:{{{bucket}}}:{kind}:{fingerprint(identifier)}"
