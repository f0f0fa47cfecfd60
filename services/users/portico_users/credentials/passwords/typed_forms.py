"""Texts to compare with a hash for a typed password: programs in PHP rewrote what they hashed (decision 0115)."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Final

from portico_users.values.names import opaque_string

_SPACES: Final = " \t\n\r\0\x0b"
"""What PHP's trim removes."""

_SLASHES: Final = str.maketrans({one: f"\\{one}" for one in "\\'\""})


def _slashed(text: str) -> str:
    """WordPress adds slashes to every field of a form, as PHP's addslashes does, and hashes the result."""
    return text.translate(_SLASHES)


def _as_html(text: str) -> str:
    """Every field is HTML to phpBB: PHP's htmlspecialchars without single quotes."""
    return escape(text, quote=False).replace('"', "&quot;")


_WRITTEN: Final[dict[str, Callable[[str], str]]] = {"$P$": _slashed, "$wp$": _slashed, "$H$": _as_html}
"""How the program of a hash rewrote a trimmed password, by the beginning of the hash."""


def typed_forms(hash: str, password: str) -> tuple[str, ...]:
    """Returns each text once: the canonical form, the password as typed, and the forms of the hash's program.

    The number depends only on the password and the kind of the hash, which an unknown name has too (LG-01).
    """
    plain = (opaque_string(password), password)
    write = _writer_of(hash)
    written = [write(text.strip(_SPACES)) for text in plain] if write else []
    return tuple(dict.fromkeys((*plain, *written)))


def is_trimmed_by_program(hash: str, password: str) -> bool:
    """Reports whether another password, without the surrounding spaces, would match the hash too."""
    return _writer_of(hash) is not None and len(password) > len(password.strip(_SPACES))


def _writer_of(hash: str) -> Callable[[str], str] | None:
    return next((write for start, write in _WRITTEN.items() if hash.startswith(start)), None)
