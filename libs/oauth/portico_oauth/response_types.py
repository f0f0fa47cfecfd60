from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from portico_oauth.parameters import split_words


class ResponseType(StrEnum):
    CODE = "code"
    ID_TOKEN = "id_token"
    ID_TOKEN_TOKEN = "id_token token"

    @property
    def has_id_token(self) -> bool:
        return self is not ResponseType.CODE

    @property
    def has_access_token(self) -> bool:
        return self is ResponseType.ID_TOKEN_TOKEN


class ResponseMode(StrEnum):
    QUERY = "query"
    FRAGMENT = "fragment"
    FORM_POST = "form_post"


_BY_WORDS = {frozenset(member.value.split(" ")): member for member in ResponseType}


@lru_cache(maxsize=100)
def find_response_type(text: str) -> ResponseType | None:
    """Returns the response type with these words, in any order and each once, or None (AZ-13)."""
    words = split_words(text)
    if len(set(words)) != len(words):
        return None
    return _BY_WORDS.get(frozenset(words))


def default_mode(response_type: ResponseType | None) -> ResponseMode:
    """Query for code and unknown types, fragment for all types with tokens."""
    if response_type is None or response_type is ResponseType.CODE:
        return ResponseMode.QUERY
    return ResponseMode.FRAGMENT
