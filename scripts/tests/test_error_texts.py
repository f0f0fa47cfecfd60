"""The house rule for the texts of errors."""

from __future__ import annotations

import pytest
from house_rules.error_texts import ErrorTexts
from house_rules.source import Source


@pytest.mark.parametrize(
    ("text", "refused"),
    [("There is no such key.", True), ("This key is no longer registered.", False), ("Key not found.", False)],
)
def test_the_text_of_an_error_is_plain_english(text: str, refused: bool) -> None:
    """A construction of the list in the text of an error is found, and a plain sentence is left alone."""
    declared = f'E = ErrorCode("X-001", Kind.NOT_FOUND, "{text}", "Check the id.")'
    source = Source.read("services/x/portico_x/y.py", declared)

    assert bool(list(ErrorTexts().check(source))) is refused
