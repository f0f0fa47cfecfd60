"""Labels of fields and enum values: by hand, and derived from the API's names on the pages of the API alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from portico_contracts.management import METHODS
from portico_oauth.assurance import ONE_TIME_CODE, PASSWORD, has_key

from portico_console.forms.labels import LABELS, WORDS
from portico_console.forms.pickers import PICKED
from portico_console.messages import message

_PART: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_INDEX: Final = re.compile(r"\[\d+\]|\.\d+(?=\.|$)")
_SPELLED: Final = {
    "id": "ID", "uri": "URI", "uris": "URIs", "url": "URL", "urls": "URLs", "idp": "identity provider", "org": "organization",
    "oidc": "OIDC", "jwt": "JWT", "mfa": "MFA", "tos": "terms of service", "dn": "DN", "ca": "CA", "tls": "TLS",
    "alg": "algorithm", "jti": "jti", "ldap": "LDAP", "otp": "OTP", "u2f": "U2F", "api": "API",
}  # fmt: skip

_PASSWORD: Final = message("Password")
_PASSKEY: Final = message("Passkey")
_SECURITY_KEY: Final = message("Security key")
_CODE: Final = message("One-time code")
_EMAIL_CODE: Final = message("Email code")
_PROVIDER: Final = message("Identity provider")


class Word(str):
    """A word of our own, which pages translate; texts beside it may be data, such as the name of a project."""

    is_own = True


def label_of(name: str, source: str = "") -> str:
    """``policyUris`` becomes ``Policy URIs``, on pages of the API; `source` is ``SetAPIScopesRequest.scopes``."""
    known = LABELS.get(source) or LABELS.get(name)
    if known is not None:
        return known
    parts = [_SPELLED.get(part.lower(), part.lower()) for part in _PART.findall(name)]
    text = " ".join(parts)
    return text[:1].upper() + text[1:]


def sign_in_methods(amr: Sequence[str]) -> list[str]:
    """Returns the words for a session's ``amr`` (RFC 8176)."""
    if list(amr) == [ONE_TIME_CODE]:  # as the only factor it was emailed (decision 0099)
        return [_EMAIL_CODE]
    found = []
    if PASSWORD in amr:
        found.append(_PASSWORD)
    if has_key(amr):
        found.append(_SECURITY_KEY if PASSWORD in amr else _PASSKEY)
    if ONE_TIME_CODE in amr:
        found.append(_CODE)
    return found or ([_PROVIDER] if amr else [])


def label_of_path(path: str) -> str:
    """``idpLinks[0].redirect_uris[1]`` becomes ``Redirect URIs``."""
    return label_of(_INDEX.sub("", path).rpartition(".")[2])


def word(constant: str) -> str:
    return _words().get(constant, constant)


@cache
def _words() -> dict[str, str]:
    found: dict[str, str] = {}
    for enum in _enums():
        names = [value.name for value in enum.values]
        prefix = _prefix(names)
        found |= {name: name[len(prefix) :].replace("_", " ").capitalize() for name in names}
    return {name: Word(text) for name, text in (found | WORDS | PICKED).items()}


def _prefix(names: list[str]) -> str:
    first, last = min(names), max(names)
    same = next((at for at, letter in enumerate(first) if at >= len(last) or last[at] != letter), len(first))
    return first[: first.rfind("_", 0, same) + 1] if len(names) > 1 else ""


def _enums() -> list[Any]:
    to_see: list[Any] = [found.DESCRIPTOR for method in METHODS.values() for found in (method.request, method.response)]
    seen: set[str] = set()
    enums: dict[str, Any] = {}
    while to_see:
        message = to_see.pop()
        if message.full_name in seen:
            continue
        seen.add(message.full_name)
        for field in message.fields:
            if field.message_type is not None:
                to_see.append(field.message_type)
            elif field.enum_type is not None:
                enums[field.enum_type.full_name] = field.enum_type
    return list(enums.values())
