"""Every Redis key of authz is made here: ``authz:{<bucket>}:<kind>:<hash>``.

The bucket is part of the identifier and is the hash tag; the identifier is hashed, so that neither
caller-chosen text nor a usable handle or code is part of a key.
"""

from __future__ import annotations

from typing import Final

from portico_oauth.opaque import bucket_in, bucket_of, fingerprint

CLIENT: Final = "client:"
"""The prefix of session fields that name clients."""


def is_identifier(identifier: str) -> bool:
    """True for text that can be an identifier of authz; nothing else has a key."""
    return bucket_in(identifier) is not None


def browser(handle: str) -> str:
    """A browser record, by the handle in its cookie."""
    return _key("browser", handle)


def session(sid: str) -> str:
    """A session."""
    return _key("session", sid)


def sessions_of(user_id: str) -> str:
    """The sessions of a user, in the bucket of those sessions."""
    return f"authz:{{{bucket_of(user_id)}}}:user:{fingerprint(user_id)}"


def client_field(client_id: str) -> str:
    """Field of a session: a client that used it."""
    return f"{CLIENT}{client_id}"


def logout(id: str) -> str:
    """A pending logout."""
    return _key("logout", id)


def logout_queue() -> str:
    """Ended sessions with due notifications: one queue, in a separate slot."""
    return "authz:{endings}:due"


def request(id: str) -> str:
    """An authorization request that waits for the end user."""
    return _key("request", id)


def posted_request(id: str) -> str:
    """A posted authorization request, until the GET that follows."""
    return _key("parked", id)


def external_flow(state: str) -> str:
    """A flow to another identity provider, by its ``state``."""
    return _key("external", state)


def parked_return(handle: str) -> str:
    """What came back from a provider without a cookie."""
    return _key("returned", handle)


def code(code: str) -> str:
    """An authorization code."""
    return _key("code", code)


def code_named(reference: str) -> str:
    """The same, by the reference of the code (`domain.code.reference_of`)."""
    return f"authz:{{{reference[:2]}}}:code:{reference[2:]}"


def _key(kind: str, identifier: str) -> str:
    bucket = bucket_in(identifier)
    if bucket is None:
        raise ValueError(f"not an identifier of a {kind}")
    return f"authz:{{{bucket}}}:{kind}:{fingerprint(identifier)}"
