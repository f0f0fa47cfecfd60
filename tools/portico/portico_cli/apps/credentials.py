"""How a new application authenticates, and binds its tokens: the options, and the fields that they set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
from portico_contracts.apply import (
    ApiAuthMethodName,
    AuthMethodName,
    ClientAssertionAudience,
    DpopName,
    Key,
    SecurityProfile,
)
from portico_contracts.users import KEY_METHODS, AuthMethod

METHODS: Final = {
    "client_secret_basic": AuthMethodName.BASIC,
    "client_secret_post": AuthMethodName.POST,
    "private_key_jwt": AuthMethodName.PRIVATE_KEY_JWT,
    "tls_client_auth": AuthMethodName.TLS_CLIENT_AUTH,
    "self_signed_tls_client_auth": AuthMethodName.SELF_SIGNED_TLS_CLIENT_AUTH,
    "none": AuthMethodName.NONE,
}
API_METHODS: Final = {
    "client_secret_basic": ApiAuthMethodName.BASIC,
    "private_key_jwt": ApiAuthMethodName.PRIVATE_KEY_JWT,
    "tls_client_auth": ApiAuthMethodName.TLS_CLIENT_AUTH,
    "self_signed_tls_client_auth": ApiAuthMethodName.SELF_SIGNED_TLS_CLIENT_AUTH,
}

_FAPI2: Final[Mapping[str, Any]] = {
    "security_profile": SecurityProfile.FAPI2,
    "dpop": DpopName.REQUIRED,
    "require_pushed_authorization_requests": True,
    "client_assertion_audience": ClientAssertionAudience.ISSUER,
    "id_token_signed_response_alg": "ES256",
}

KEYS: Final = click.option(
    "--public-key",
    "keys",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="PEM file with a public key, or with its certificate. Can be repeated. Required for private_key_jwt and self_signed_tls_client_auth.",
)
SUBJECT: Final = click.option(
    "--certificate-subject",
    "subject",
    default="",
    metavar="SUBJECT",
    help="Subject of the client certificate, such as san_dns:client.example.org. Required for tls_client_auth.",
)
DPOP: Final = click.option(
    "--dpop",
    type=click.Choice([value.value for value in DpopName]),
    help="Whether access tokens are bound to a key of the application. Default: off.",
)
NONCE: Final = click.option("--dpop-nonce", is_flag=True, help="DPoP proofs need a nonce.")
PROFILE: Final = click.option(
    "--security-profile",
    "profile",
    type=click.Choice([value.value for value in SecurityProfile]),
    default=SecurityProfile.NONE.value,
    show_default=True,
    help="fapi2 also sets what FAPI 2.0 demands: DPoP, pushed requests, id_tokens with ES256.",
)


def method_option(methods: Mapping[str, Any], default: str) -> Callable[[Any], Any]:
    return click.option(
        "--method", type=click.Choice([*methods]), help=f"Client authentication method. Default: {default}."
    )


def credentials(method: str, keys: Sequence[Path], subject: str) -> dict[str, Any]:
    """Returns the fields of the keys and the subject. Raises click.UsageError where the method has others."""
    _require("--public-key", method, method in KEY_METHODS, given=bool(keys))
    _require("--certificate-subject", method, method == AuthMethod.TLS_CLIENT_AUTH.value, given=bool(subject))
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in keys]
    return {"keys": tuple(map(Key, texts)) or None, "certificate_subject": subject}


def binding(dpop: str | None, profile: str, *, nonce: bool) -> dict[str, Any]:
    """Returns the fields of DPoP and of the security profile. Raises click.UsageError where the two differ."""
    fields = {"dpop": DpopName(dpop or DpopName.OFF), "dpop_nonce": nonce}
    if SecurityProfile(profile) is not SecurityProfile.FAPI2:
        return fields
    if dpop not in (None, DpopName.REQUIRED.value):
        raise click.UsageError("--security-profile fapi2 needs '--dpop required'.")
    return {**fields, **_FAPI2}


def _require(option: str, method: str, needed: bool, *, given: bool) -> None:
    if needed and not given:
        raise click.UsageError(f"Missing option '{option}': {method} needs it.")
    if given and not needed:
        raise click.UsageError(f"{method} has no '{option}'.")
