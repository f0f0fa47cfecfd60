"""The population that is stored from run to run."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bench.members import Member, take_back
from bench.population import Population, Registered, find_population

NOW = 1_000_000.0
POPULATION = Population(
    format=1,
    issuer="http://localhost:1",
    until=NOW + 1,
    redirect_uri="http://localhost:1/callback",
    clients=(Registered("bench-opaque", "s1"),),
    robots=(Registered("bench-robot-opaque", "s2"),),
    people=(Registered("regular-0", "p"),),
    members=(Member("a=b", {"opaque": "t1"}, "r1"), Member("c=d", {"opaque": "t2"}, "r2")),
)


def _stored(folder: Path, population: Population) -> Path:
    (folder / "members.json").write_bytes(msgspec.json.encode(population))
    return folder


def test_stored_population_is_found(tmp_path: Path) -> None:
    """Fewer people than are there may be wanted; they are the first ones."""
    found = find_population(_stored(tmp_path, POPULATION), 1, NOW)

    assert found == POPULATION
    cast = found.cast(1)
    assert [member.cookie for member in cast.members] == ["a=b"]
    assert [(client.client_id, client.redirect_uri) for client in cast.clients] == [
        ("bench-opaque", "http://localhost:1/callback")
    ]


@pytest.mark.parametrize(
    "change", [{"format": 0}, {"until": NOW}, {"members": POPULATION.members[:1]}], ids=["format", "expired", "too few"]
)
def test_population_that_does_not_do_is_not_found(tmp_path: Path, change: dict[str, object]) -> None:
    """It is prepared anew when its form is another one, its tokens expire, or more people are wanted."""
    folder = _stored(tmp_path, msgspec.structs.replace(POPULATION, **change))

    assert find_population(folder, 2, NOW) is None


@pytest.mark.parametrize("content", [None, b"", b"{"])
def test_broken_population_is_not_found(tmp_path: Path, content: bytes | None) -> None:
    """A preparation that was interrupted leaves no file, and a broken one counts as none."""
    if content is not None:
        (tmp_path / "members.json").write_bytes(content)

    assert find_population(tmp_path, 1, NOW) is None


def test_values_of_a_run_are_taken_back(tmp_path: Path) -> None:
    """A line names a member by number; a value that is empty is not known any more; the file is removed."""
    members = [Member("", refresh_token="r1"), Member("", refresh_token="r2"), Member("", refresh_token="r3")]
    path = tmp_path / "state"
    path.write_text("1 new\n3 \n")

    take_back(path, members, "refresh_token")

    assert [member.refresh_token for member in members] == ["new", "r2", ""]
    assert not path.exists()


def test_secrets_are_not_shown() -> None:
    """Whatever is printed of a population holds no cookie, token or secret."""
    shown = repr(POPULATION)

    assert not any(secret in shown for secret in ("a=b", "t1", "r1", "s1", "s2", "='p'"))
