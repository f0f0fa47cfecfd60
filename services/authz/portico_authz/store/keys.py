"""Redis keys ``authz:{<bucket>}:<kind>:<hash>``; identifiers are hashed, because handles and codes are secret."""

from __future__ import annotations

from typing import Final

from portico_oauth.opaque import bucket_in, bucket_of, fingerprint

CLIENT: Final = "client:"
"""Prefix of session fields that name clients."""


def is_identifier(identifier: str) -> bool:
    """Returns True for text that can be an identifier of authz; nothing else has a key."""
    return bucket_in(identifier) is not None


def browser(handle: str) -> str:
    return _key("browser", handle)


def session(sid: str) -> str:
    return _key("session", sid)


def sessions_of(user_id: str) -> str:
    return f"authz:{{{bucket_of(user_id)}}}:user:{fingerprint(user_id)}"


def client_field(client_id: str) -> str:
    return f"{CLIENT}{client_id}"


def logout(id: str) -> str:
    return _key("logout", id)


def logout_queue() -> str:
    return "authz:{endings}:due"


def request(id: str) -> str:
    return _key("request", id)


def posted_request(id: str) -> str:
    return _key("parked", id)


def pushed_request(id: str) -> str:
    return _key("pushed", id)


def pushed_claimant(id: str) -> str:
    return _key("pushed-by", id)


def external_flow(state: str) -> str:
    return _key("external", state)


def parked_return(handle: str) -> str:
    return _key("returned", handle)


def trusted_devices(user_id: str) -> str:
    return f"authz:{{{bucket_of(user_id)}}}:trusted:{fingerprint(user_id)}"


def replaced_handle(handle: str) -> str:
    return _key("replaced", handle)


def login_session(id: str) -> str:
    return _key("login", id)


def login_proof(proof: str) -> str:
    return _key("proof", proof)


def code(code: str) -> str:
    return _key("code", code)


def code_named(reference: str) -> str:
    return f"authz:{{{reference[:2]}}}:code:{reference[2:]}"


def device(user_code: str) -> str:
    return f"authz:{{{bucket_of(user_code)}}}:device:{fingerprint(user_code)}"


def tries(whose: str) -> str:
    return f"authz:{{{bucket_of(whose)}}}:tries:{fingerprint(whose)}"


def _key(kind: str, identifier: str) -> str:
    bucket = bucket_in(identifier)
    if bucket is None:
        raise ValueError(f"not an identifier of a {kind}")
    return f"authz:{{{bucket}}}:{kind}:{fingerprint(identifier)}"
