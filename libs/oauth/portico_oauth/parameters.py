"""Parameters of a query or a form: each at most once, an empty one counts as absent (RFC 6749 sections 3.1 and 3.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, TypeVar, overload
from urllib.parse import unquote_plus

from portico_oauth.errors import ErrorCode, Kind

MAX_FIELDS: Final = 100

Other = TypeVar("Other")

REPEATED = ErrorCode("OAUTH-001", Kind.INVALID_REQUEST, "A parameter is repeated.", "Send each parameter once.")
NOT_A_FORM = ErrorCode(
    "OAUTH-002",
    Kind.INVALID_REQUEST,
    "The parameters cannot be decoded.",
    "Encode them as application/x-www-form-urlencoded in UTF-8.",
)
TOO_MANY = ErrorCode("OAUTH-003", Kind.CONTENT_TOO_LARGE, "Too many parameters.", "Send at most 100 parameters.")


class Parameters(Mapping[str, str]):
    """The single-valued, non-empty parameters of a request, and the names that were repeated.

    Reading a repeated name does not raise: the caller decides which repeats matter (an authorization request
    must still find its client before the error can be redirected, AZ-04).
    """

    __slots__ = ("_values", "repeated")

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self._values: dict[str, str] = {}
        repeated: set[str] = set()
        seen: set[str] = set()
        for name, value in pairs:
            if name in seen:
                repeated.add(name)
            seen.add(name)
            if value and name not in self._values:
                self._values[name] = value
        self.repeated = frozenset(repeated)

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    @overload
    def get(self, name: str, default: None = None, /) -> str | None: ...

    @overload
    def get(self, name: str, default: str | Other, /) -> str | Other: ...

    def get(self, name: str, default: object = None, /) -> object:
        return self._values.get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

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
    try:
        return [_pair(field) for field in text.split("&") if field]
    except ValueError as error:  # UnicodeDecodeError is one
        raise NOT_A_FORM.error() from error


def _pair(field: str) -> tuple[str, str]:
    """Parses one field like `urllib.parse.parse_qsl`, which takes three times as long."""
    name, _, value = field.partition("=")
    if "%" not in field and "+" not in field:
        return name, value
    return unquote_plus(name, errors="strict"), unquote_plus(value, errors="strict")
