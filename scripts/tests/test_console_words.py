"""Words of the tables of the console are translated, as the texts of its templates."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
from collections.abc import Iterator

import portico_console
from portico_console.console_app.screens.sentences import NAMES
from portico_contracts.languages import OWN_NAMES
from portico_oauth.errors import ErrorCode
from translations.packages import PACKAGES

SENTENCE = re.compile(r"[A-Z][a-z]+(?:[ ,.:].*)?\Z")
OTHERS = {
    "FACTORS": "words that are searched for, in English",
    "_AS_BEFORE": "a comment of the API that is left out",
}
VENDORS = {"Apple", "Okta", "Keycloak", "Slack", "Discord", "Facebook", "Login", "Google Workspace", "Kubernetes"}
FIELDS_OF_VENDORS = {"Tenant URL", "Secret Token", "Base URL", "Endpoint URL"}
"""As the pages of directories name where address and token are entered, which readers see in English."""


def test_every_word_of_a_table_is_a_message() -> None:
    """Each text of a constant of the console that looks like a label or a sentence has translations."""
    known = {form for package in PACKAGES for message in package.messages.values() for form in message.forms}
    known |= NAMES | VENDORS | FIELDS_OF_VENDORS | set(OWN_NAMES.values())
    found = {
        f"{module}.{name}: {text}" for module, name, text in constants() if text not in known and name not in OTHERS
    }

    assert found == set()


def constants() -> Iterator[tuple[str, str, str]]:
    seen: set[int] = set()
    for found in pkgutil.walk_packages(portico_console.__path__, "portico_console."):
        if not found.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(found.name)).items():
                if name.strip("_").isupper() and name != "_KINDS" and id(value) not in seen:
                    seen.add(id(value))
                    yield from ((found.name, name, text) for text in texts(value))


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from [value] if SENTENCE.match(value) else []
    elif isinstance(value, dict):
        yield from (text for one in value.values() for text in texts(one))
    elif isinstance(value, tuple | list | set | frozenset):
        yield from (text for one in value for text in texts(one))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type | ErrorCode):
        yield from (text for field in dataclasses.fields(value) for text in texts(getattr(value, field.name)))
