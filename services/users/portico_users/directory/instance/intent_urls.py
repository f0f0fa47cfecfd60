"""Where intents may lead: exactly the addresses that the instance registers (decision 0051)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.redirect_uris import may_register

from portico_users.kernel.problems import Problem, Problems

MOST_URLS: Final = 100

INVALID_INTENT_URL = ErrorCode(
    "USER-984",
    Kind.INVALID_REQUEST,
    "This address cannot be used for intents.",
    "Use at most 100 different addresses with https, or http on a loopback host, without query and fragment.",
)


def problems_of(urls: Sequence[str], place: str) -> Problems:
    """What is wrong with some addresses, by their place in a list.

    Without a query: what is appended can neither repeat nor follow a parameter of the address.
    """
    for number, url in enumerate(urls):
        if not _is_valid(url) or url in urls[:number] or number >= MOST_URLS:
            yield Problem(f"{place}[{number}]", INVALID_INTENT_URL)


def _is_valid(url: str) -> bool:
    return url.startswith(("https://", "http://")) and "?" not in url and may_register(url)
