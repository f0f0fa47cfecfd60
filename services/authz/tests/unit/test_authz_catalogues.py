"""Every word authz says on a page is there in every language."""

from __future__ import annotations

import pytest
from portico_authz import error_page
from portico_authz.authorize import open_request
from portico_authz.authorize.checks import check_client, check_redirect_uri, check_repeats
from portico_authz.authorize.pipeline import POST_GONE
from portico_authz.logout import open_logout, read_wish
from portico_harness.catalogues import OTHERS, Words

BEFORE_THE_ADDRESS = [check_repeats, check_client, check_redirect_uri]
WORDS = Words(
    "portico_authz",
    [*error_page.SENTENCES.values(), POST_GONE.text],
    [*BEFORE_THE_ADDRESS, open_request, read_wish, open_logout],
)
"""What has no proven address to go to: that, and only that, is a page."""


@pytest.mark.parametrize("tag", OTHERS)
def test_no_message_of_authz_is_missing(tag: str) -> None:
    """What its facts and sentences say on the error page is translated."""
    assert WORDS.missing(tag) == []


def test_languages_of_authz_have_the_same_messages() -> None:
    """A message that only one language has is forgotten in the others."""
    assert WORDS.unlike() == []


@pytest.mark.parametrize("tag", OTHERS)
def test_translations_of_authz_add_no_markup(tag: str) -> None:
    """A translation can neither add markup nor break the page with a stray percent sign."""
    assert WORDS.broken(tag) == []
