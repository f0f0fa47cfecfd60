"""Parameters of a query or a form: each at most once, an empty one counts as absent (RFC 6749 sections 3.1 and 3.2).

Only ``resource`` may have several values (RFC 8707 section 2). They are joined by spaces, which no URI has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final
from urllib.parse import unquote_plus

from portico_oauth.errors import ErrorCode, Kind

MAX_FIELDS: Final = 100
RESOURCE: Final = "resource"

REPEATED = ErrorCode("OAUTH-001", Kind.INVALID_REQUEST, "A parameter is repeated.", "Send each parameter once.")
NOT_A_FORM = ErrorCode(
    "OAUTH-002",
    Kind.INVALID_REQUEST,
    "The parameters cannot be decoded.",
    "Encode them as application/x-www-form-urlencoded in UTF-8.",
)
TOO_MANY = ErrorCode("OAUTH-003", Kind.CONTENT_TOO_LARGE, "Too many parameters.", "Send at most 100 parameters.")


class Parameters(dict[str, str]):
    """The single-valued, non-empty parameters of a request, and the names that were repeated.

    Reading a repeated name does not raise: the caller decides which repeats matter (an authorization request
    must still find its client before the error can be redirected, AZ-04).
    """

    __slots__ = ("repeated",)

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        super().__init__()
        repeated: list[str] = []
        seen: dict[str, None] = {}
        for name, value in pairs:
            if name == RESOURCE and name in self:
                self[name] = f"{self[name]} {value}".rstrip()
                continue
            if name in seen and name != RESOURCE:
                repeated.append(name)
            seen[name] = None
            if value and name not in self:
                self[name] = value
        self.repeated = frozenset(repeated)

    def __repr__(self) -> str:
        """Omits the values, which may be secret."""
        return f"Parameters({[*self]})"

    def refuse_repeats(self, known: Collection[str] | None = None) -> None:
        """Raises OAUTH-001 for repeated parameters, even with equal values; `known` restricts the names."""
        if repeated := sorted(name for name in self.repeated if known is None or name in known):
            raise REPEATED.error(names=repeated)


def split_words(text: str) -> list[str]:
    return [word for word in text.split(" ") if word]


def read_parameters(*sources: str | bytes, most: int = MAX_FIELDS) -> Parameters:
    """Parses queries and form bodies together, so that a repeat across both is detected.

    Each source has at most `most` fields.
    """
    pairs: list[tuple[str, str]] = []
    for source in sources:
        pairs += _read(source, most)
    return Parameters(pairs)


def _read(source: str | bytes, most: int) -> list[tuple[str, str]]:
    try:
        text = source.decode("ascii") if isinstance(source, bytes) else source
    except UnicodeDecodeError as error:
        raise NOT_A_FORM.error() from error
    if not text:
        return []
    if text.count("&") >= most:
        raise TOO_MANY.error()
    if "%00" in text or "\x00" in text:
        raise NOT_A_FORM.error()
    pairs: list[tuple[str, str]] = []
    try:
        for field in text.split("&"):
            if field:
                # Like `urllib.parse.parse_qsl`, which takes three times as long.
                name, _, value = field.partition("=")
                pair = (_decoded(name), _decoded(value)) if "%" in field or "+" in field else (name, value)
                pairs.append(pair if pair[0] != RESOURCE else (RESOURCE, pair[1].replace(" ", "%20")))
    except ValueError as error:  # UnicodeDecodeError is one
        raise NOT_A_FORM.error() from error
    return pairs


def _decoded(text: str) -> str:
    return unquote_plus(text, errors="strict") if "%" in text or "+" in text else text
