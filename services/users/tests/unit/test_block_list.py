from __future__ import annotations

import tracemalloc
from importlib.resources import files

import pytest
from portico_users.credentials.passwords.new_password import common_passwords
from portico_users.policies.password_policy import COMMON, problem_with
from portico_users.values.names import canonical


def test_block_list_is_long_and_small() -> None:
    """The list has at least 10,000 passwords (LG-24), and takes less than 3 MB while and after it is read."""
    common_passwords.cache_clear()
    tracemalloc.start()
    try:
        count = len(common_passwords())
        _kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert count >= 10_000
    assert peak < 3_000_000
    assert common_passwords() is common_passwords()


@pytest.mark.parametrize("password", ["password1", "PassWord1", "ｐａｓｓｗｏｒｄ１", "Iloveyou1", "11111111"])
def test_common_passwords_are_refused_in_any_spelling(password: str) -> None:
    """Case and width do not make a password acceptable (LG-24)."""
    assert problem_with(password, "alice", common_passwords()) == COMMON


@pytest.mark.parametrize("password", ["password1 ", "correct horse battery", "a password of my own"])
def test_other_passwords_pass(password: str) -> None:
    """Only whole passwords are compared: a long one may contain a common one."""
    assert problem_with(password, "alice", common_passwords()) is None


def test_entries_are_normalized() -> None:
    """The entries are in the form in which passwords are compared, and none is empty."""
    assert all(entry and entry == canonical(entry) for entry in common_passwords())


def test_licence_is_packaged() -> None:
    """The package contains the source and the licence of the list."""
    text = files("portico_users.credentials.passwords").joinpath("common-passwords.md").read_text()

    assert "Django Software Foundation" in text
    assert "Redistributions of source code must retain" in text
