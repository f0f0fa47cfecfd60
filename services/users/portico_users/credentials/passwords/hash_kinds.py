"""Kinds of hashes and their cost: a kind is a hash with masked salt and digest.

Comparing a password with a kind costs as much as with a real hash and never matches; unknown login names are
compared with a kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from portico_users.credentials.passwords.imported_hashes import Format, Parts, find_format

_OURS: Final = "$argon2id$"
_BCRYPT: Final = re.compile(r"\A\$2[axy]\$")

_IN_FORCE: Final = "argon2 in force"
"""Native hashes with current parameters; another, faster library than for imported hashes."""

_RATES: Final = {
    _IN_FORCE: 8e-7,
    "argon2": 1.1e-6,
    "bcrypt": 6e-5,
    "wordpress-bcrypt": 6e-5,
    "django-bcrypt-sha256": 6e-5,
    "bcrypt-sha256": 6e-5,
    "scrypt": 4e-7,
    "firebase-scrypt": 4e-7,
    "pbkdf2": 3.2e-7,
    "pbkdf2-sha1": 3.2e-7,
    "pbkdf2-sha256": 3.2e-7,
    "pbkdf2-sha512": 7.5e-7,
    "sha256-crypt": 6.5e-7,
    "sha512-crypt": 1.5e-6,
    "md5-crypt": 3e-6,
    "phpass": 1e-6,
    "drupal": 1e-6,
    "mediawiki-md5": 5e-6,
    "salted-sha": 5e-6,
}
"""Seconds per unit of work on a typical machine; measured native hashes scale them."""

_SLOWEST: Final = 10.0
"""Upper limit of the scale: small hashes take longer per unit and do not represent the machine."""

_NEW: Final = 0.3


def kind_of(hash: str) -> str:
    """Returns the kind of a hash (or of a kind, itself); empty for a hash that is not supported."""
    found = find_format(hash)
    if found is None or not found[0].is_affordable(found[1]):
        return ""
    format, _ = found
    match = format.form.fullmatch(hash)
    assert match is not None  # noqa: S101 - it was found by that
    text = hash
    for name, length in (("digest", 0), ("salt", format.salt)):
        if name in format.form.groupindex:
            start, end = match.span(name)
            text = text[:start] + format.filler * (length or end - start) + text[end:]
    return _BCRYPT.sub("$2b$", text)


def work_of(hash: str) -> tuple[str, float]:
    """Returns method and units of work of a hash; empty and 0 if not supported."""
    found = find_format(hash)
    if found is None or not found[0].is_affordable(found[1]):
        return "", 0.0
    format, parts = found
    return _method(format, parts), format.work(parts)


def _method(format: Format, parts: Parts) -> str:
    return f"{format.name}-{parts['name']}" if format.name == "pbkdf2" and parts["name"] else format.name


def in_force(own: str) -> Callable[[str], bool]:
    start, length = f"{own.rpartition('$')[0].rpartition('$')[0]}$", len(own)
    return lambda text: text.startswith(start) and len(text) == length


class HashCosts:
    """Estimates the cost of hashes on this machine: default rates at first, then measured ones."""

    def __init__(self, own: str) -> None:
        self._is_in_force = in_force(own)
        self._own = work_of(own)[1]
        self._rates: dict[str, float] = {}

    def seconds(self, hash: str) -> float:
        method, work = self._work_of(hash)
        return work * self._rate(method) if method else 0.0

    def is_ours(self, hash: str) -> bool:
        """Reports whether a hash is native, also with former parameters; imported hashes may cost more."""
        return not hash or (hash.startswith(_OURS) and work_of(hash)[1] <= 2 * self._own)

    def was_seen(self, hash: str) -> bool:
        return self._work_of(hash)[0] in self._rates

    def learner(self, hash: str) -> Callable[[float], None]:
        method, work = self._work_of(hash)

        def learn(seconds: float) -> None:
            if not method:
                return
            rate, known = seconds / work, self._rates.get(method)
            self._rates[method] = rate if known is None else (1 - _NEW) * known + _NEW * rate

        return learn

    def _work_of(self, hash: str) -> tuple[str, float]:
        method, work = work_of(hash)
        return (_IN_FORCE if self._is_in_force(hash) else method), work

    def _rate(self, method: str) -> float:
        if method in self._rates:
            return self._rates[method]
        ours = self._rates.get(_IN_FORCE)
        slower = ours / _RATES[_IN_FORCE] if ours else 1.0
        return _RATES[method] * min(max(slower, 1.0), _SLOWEST)
