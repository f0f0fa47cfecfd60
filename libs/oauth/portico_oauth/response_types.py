"""Response types and modes (OAuth 2.0 Multiple Response Types, Form Post Response Mode)."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from portico_oauth.parameters import split_words


class ResponseType(StrEnum):
    """What the authorization endpoint may answer; the words are an unordered set."""

    CODE = "code"
    ID_TOKEN = "id_token"
    ID_TOKEN_TOKEN = "id_token token"

    @property
    def has_id_token(self) -> bool:
        """An id_token comes from the authorization endpoint."""
        return self is not ResponseType.CODE

    @property
    def has_access_token(self) -> bool:
        """An access token comes from the authorization endpoint."""
        return self is ResponseType.ID_TOKEN_TOKEN


class ResponseMode(StrEnum):
    """How the answer travels back."""

    QUERY = "query"
    FRAGMENT = "fragment"
    FORM_POST = "form_post"


_BY_WORDS = {frozenset(member.value.split(" ")): member for member in ResponseType}


@lru_cache(maxsize=100)
def find_response_type(text: str) -> ResponseType | None:
    """The response type whose words these are, in any order and each once, or None (AZ-13)."""
    words = split_words(text)
    if len(set(words)) != len(words):
        return None
    return _BY_WORDS.get(frozenset(words))


def default_mode(response_type: ResponseType | None) -> ResponseMode:
    """Query for code and where the type is unknown, fragment for everything with tokens."""
    if response_type is None or response_type is ResponseType.CODE:
        return ResponseMode.QUERY
    return ResponseMode.FRAGMENT
