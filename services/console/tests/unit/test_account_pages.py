"""Every page of the account page can be reached, and shows errors at its inputs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import portico_console
from portico_console.account_app import ACCOUNT_PAGES
from portico_console.account_app.account_page import INPUTS, SECRETS

TEMPLATES: Final = Path(portico_console.__file__).parent / "templates" / "account"
COMPARED_HERE: Final = {"repeated"}
"""Inputs that are not sent to the management API."""


def test_every_page_is_in_the_navigation() -> None:
    places = {row.path.strip("/") for row in ACCOUNT_PAGES if row.show and row.path.count("/") < 2}
    linked = re.findall(r'go\("(\w*)"', (TEMPLATES / "base.html").read_text())

    assert sorted(places) == sorted(linked), "The navigation is in templates/account/base.html."


def test_errors_of_fields_are_at_their_inputs() -> None:
    """The management API names its field, and the page its input."""
    inputs = {name for text in _templates() for name in re.findall(r'f\.field\("(\w+)"', text)}

    assert inputs - set(INPUTS.values()) == COMPARED_HERE, "Add the field of the API and its input to INPUTS."


def test_typed_passwords_are_not_kept() -> None:
    """A form that is stored while the user signs in again has none of them."""
    secret = {name for text in _templates() for name in re.findall(r'f\.field\("(\w+)".*?type="password"', text)}

    assert secret == SECRETS - {"credential"}, "Add the input to SECRETS of account_page.py."


def _templates() -> list[str]:
    return [path.read_text() for path in TEMPLATES.glob("*.html")]
