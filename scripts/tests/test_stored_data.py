"""docs/generated/stored-data.md names every collection and every kind of Redis key that the code uses."""

from __future__ import annotations

import importlib
import inspect
import re
from operator import attrgetter
from pathlib import Path
from types import ModuleType

from generated_files import ROOT
from generated_pages.stored_data import KEYS, REDIS, USERS
from portico_authz.store import keys as authz_keys
from portico_oauth.opaque import new_opaque
from portico_token.store import keys as token_keys
from portico_users.tables import INDEXES

FOLDERS = ("services/users/portico_users", "services/keys/portico_keys", "libs/runtime/portico_runtime")
NOT_KEYS = {"client_field", "access_token", "spent_refresh_token", "is_identifier", "grants_of_bucket"}
"""Functions of the key modules that name fields and prefixes."""


def collections_in(file: Path) -> set[str]:
    """Returns the collections that a module opens by a constant name."""
    constants = set(re.findall(r"database\[([A-Z_]+(?:\.name)?)\]", file.read_text()))
    if not constants:
        return set()
    module = importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts[2:]))
    return {str(attrgetter(name)(module)) for name in constants}


def test_every_collection_is_documented() -> None:
    """An undocumented collection would hold data that no privacy notice mentions."""
    used = {name for indexes in INDEXES for name in indexes}
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*.py"):
            used |= collections_in(file)

    assert used - {*USERS, *KEYS} == set()
    assert {*USERS, *KEYS} - used == {"instances"} - used


def kinds_of(module: ModuleType) -> set[str]:
    """Returns the kinds of Redis key that a module's functions build."""
    found = set()
    for name, make in inspect.getmembers(module, inspect.isfunction):
        if make.__module__ == module.__name__ and not name.startswith("_") and name not in NOT_KEYS:
            values = {"bucket": "a0", "reference": "a0" * 20}
            identifier = new_opaque("a0", lambda size: b"x" * size)
            key = make(*(values.get(one, identifier) for one in inspect.signature(make).parameters))
            owner, _, kind, *_ = key.split(":")
            found.add(f"{owner} {kind}")
    return found


def test_every_kind_of_key_is_documented() -> None:
    """An undocumented kind of key would have no stated lifetime."""
    assert (kinds_of(authz_keys) | kinds_of(token_keys)) - set(REDIS) == set()
