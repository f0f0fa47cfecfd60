"""The errors of DPoP proofs: one for each check, so that a developer learns which one failed."""

from __future__ import annotations

from typing import Final

from portico_oauth.dpop import PROOF_ALGORITHMS
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError

DPOP: Final = "dpop"
"""Name of the check in diagnostics."""

_FIX: Final = "Use a client library with DPoP (RFC 9449), and check that it "

NO_PROOF = ErrorCode(
    "TOKEN-300",
    Kind.INVALID_REQUEST,
    "The request has no DPoP proof, and this application must send one.",
    "Send a proof in the header DPoP, or set dpop to allowed in the settings of the application.",
)
SEVERAL_PROOFS = ErrorCode(
    "TOKEN-301", Kind.INVALID_DPOP_PROOF, "More than one DPoP header was sent.", "Send one proof in one header."
)
MALFORMED_PROOF = ErrorCode(
    "TOKEN-302",
    Kind.INVALID_DPOP_PROOF,
    "The DPoP proof is not a signed JWT of at most 4096 characters.",
    _FIX + "sends a compact JWT.",
)
WRONG_HEADER = ErrorCode(
    "TOKEN-303",
    Kind.INVALID_DPOP_PROOF,
    "The typ, alg or jwk of the DPoP proof is not accepted.",
    f"Set typ to dpop+jwt, alg to {', '.join(PROOF_ALGORITHMS[:-1])} or {PROOF_ALGORITHMS[-1]}, and jwk to the public key alone.",
)
WRONG_SIGNATURE = ErrorCode(
    "TOKEN-304",
    Kind.INVALID_DPOP_PROOF,
    "The signature of the DPoP proof does not match its key.",
    "Sign with the private key of jwk.",
)
WRONG_CLAIMS = ErrorCode(
    "TOKEN-305",
    Kind.INVALID_DPOP_PROOF,
    "A claim of the DPoP proof is missing or has the wrong type.",
    "Set jti (1 to 256 characters), htm, htu and iat in whole seconds.",
)
WRONG_METHOD = ErrorCode(
    "TOKEN-306",
    Kind.INVALID_DPOP_PROOF,
    "The DPoP proof is for another HTTP method.",
    "Set htm to the method of the request.",
)
WRONG_URI = ErrorCode(
    "TOKEN-307",
    Kind.INVALID_DPOP_PROOF,
    "The DPoP proof is for another URL.",
    "Set htu to the URL of the request with the host of the issuer, without query and fragment.",
)
WRONG_TIME = ErrorCode(
    "TOKEN-308",
    Kind.INVALID_DPOP_PROOF,
    "The DPoP proof is too old, or was issued in the future.",
    "Sign a new proof for each request, and check the clock.",
)
WRONG_TOKEN_DIGEST = ErrorCode(
    "TOKEN-309",
    Kind.INVALID_DPOP_PROOF,
    "The DPoP proof is for another access token.",
    "Set ath to the base64url SHA-256 of the access token.",
)
USED_PROOF = ErrorCode(
    "TOKEN-310", Kind.INVALID_DPOP_PROOF, "The DPoP proof was already used.", "Sign a new proof for each request."
)
STALE_NONCE = ErrorCode(
    "TOKEN-311",
    Kind.USE_DPOP_NONCE,
    "The DPoP proof has no nonce of this server, or an old one.",
    "Sign a new proof with the nonce of the header DPoP-Nonce, which most libraries do by themselves.",
)
PROOF_MISSING = ErrorCode(
    "TOKEN-312",
    Kind.INVALID_DPOP_PROOF,
    "The DPoP proof of the access token is missing.",
    "Send a proof in the header DPoP with each request.",
)
OTHER_KEY = ErrorCode(
    "TOKEN-313",
    Kind.INVALID_TOKEN,
    "The access token is bound to another key.",
    "Sign the proof with the key of the token request.",
)
BOUND_TOKEN = ErrorCode(
    "TOKEN-314",
    Kind.WRONG_TOKEN_SCHEME,
    "The access token is bound to a key, so it needs the scheme DPoP.",
    "Send Authorization: DPoP, and a proof in the header DPoP.",
)
UNBOUND_TOKEN = ErrorCode(
    "TOKEN-315",
    Kind.WRONG_TOKEN_SCHEME,
    "The access token is not bound to a key, so it needs the scheme Bearer.",
    "Send Authorization: Bearer, or request a token with a DPoP proof.",
)
REFRESH_BOUND = ErrorCode(
    "TOKEN-316",
    Kind.INVALID_GRANT,
    "The refresh token is bound to a key that the request does not prove.",
    "Send a DPoP proof signed with the key of the first token request. Otherwise have the user sign in again.",
)
KEYS_DIFFER = ErrorCode(
    "TOKEN-317",
    Kind.INVALID_DPOP_PROOF,
    "The parameter dpop_jkt names another key than the DPoP proof.",
    "Omit dpop_jkt, or send the thumbprint of the key that signs the proof.",
)


def refused(code: ErrorCode, given: str = "", wanted: tuple[str, ...] = (), hint: str = "") -> ServiceError:
    """The error of a check, with what it compared."""
    return code.error(compared=Compared(DPOP, given, wanted, hint))
