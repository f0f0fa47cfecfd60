"""Keys without a private half: verified with where there is no other, so that every refusal takes the same time (P9)."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from portico_oauth.jose import MalformedToken, VerificationKey, split_token

_JWKS: Final[tuple[dict[str, Any], ...]] = (
    {
        "kty": "RSA",
        "n": "vX-wdoxnUDwKGGiqILfsg4Uq243Vl0zbWYp64q224mYR3Ew5IMhcyp3ZD39NpcBG1Obp4weSX2P8BBS_8CuJpfqaMUYcOMGoM3O3YThzG"
        "qpixb3CVaWLlmiQLnE-s-dPeYqEG-nOpLcA2rcrXpd5V818izH9s7nxi3P98fb7OONyp0q5QpKSSG9PUOe_IaLqwuXhvfAUwqfPIHlzBp2Im-"
        "ojNSAjSv7X-YCvYfquzkNmXiwsYnstljlitmtIWoih3QFdpSItN9ltKXHpJyBhBvJGXKwPBG-7fKJXYgXRIqmdsjvLUr3bPtrxfKbdOw10CN9E"
        "4LZRUitKGvE0DhITyQ",
        "e": "AQAB",
        "kid": "",
        "alg": "RS256",
    },
    {
        "kty": "EC",
        "crv": "P-256",
        "x": "i7CNbH36WuF-MzAucnUI5uzXRnASbJ0e8OilVKXJqv0",
        "y": "BNGJW7E6KcayFEYYdSdeSZjKZS_fMeWkPq2W2IR6_X0",
        "kid": "",
        "alg": "ES256",
    },
    {
        "kty": "OKP",
        "crv": "Ed25519",
        "x": "Qob-KFzfooYKeN98x6nSgpt7_qAjVVVWgn6QvbIyvDM",
        "kid": "",
        "alg": "EdDSA",
    },
)
_KEYS: Final = {key.alg: key for key in map(VerificationKey.from_jwk, _JWKS)}
DECOY_KEY: Final = _KEYS["RS256"]


def spend_a_verification(text: str, alg: object) -> None:
    """Verifies in vain, with the key of the algorithm that the token names; another one counts as RS256."""
    key = _KEYS.get(alg if isinstance(alg, str) else "", _KEYS["RS256"])
    with suppress(MalformedToken):
        key.claims_in(split_token(text))
