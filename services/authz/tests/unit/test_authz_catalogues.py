"""Every text of the pages of authz is translated into every language."""

from __future__ import annotations

import pytest
from portico_authz import error_page
from portico_authz.authorize import open_request
from portico_authz.authorize.checks import check_client, check_redirect_uri, check_repeats
from portico_authz.authorize.pipeline import POST_NOT_FOUND
from portico_authz.logout import logout_request, open_logout
from portico_harness.catalogues import OTHERS, Words

BEFORE_THE_ADDRESS = [check_repeats, check_client, check_redirect_uri]
WORDS = Words(
    "portico_authz",
    [*error_page.SENTENCES.values(), POST_NOT_FOUND.text],
    [*BEFORE_THE_ADDRESS, open_request, logout_request, open_logout],
)
"""What has no proven address to go to: that, and only that, is a page."""


@pytest.mark.parametrize("tag", OTHERS)
def test_no_message_of_authz_is_missing(tag: str) -> None:
    """Error messages and sentences of the error page are translated."""
    assert WORDS.missing(tag) == []


def test_languages_of_authz_have_the_same_messages() -> None:
    """A message of one language is missing in no other catalogue."""
    assert WORDS.unlike() == []


@pytest.mark.parametrize("tag", OTHERS)
def test_translations_of_authz_add_no_markup(tag: str) -> None:
    """A translation can neither add markup nor break the page with a stray percent sign."""
    assert WORDS.broken(tag) == []
