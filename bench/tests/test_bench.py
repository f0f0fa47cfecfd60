"""Options, targets, the stored population, plans and results of wrk, CPU time."""

from __future__ import annotations

import asyncio
import base64
import os
from pathlib import Path

import msgspec
import pytest

from bench.__main__ import other_provider, parser
from bench.measuring import take_back
from bench.node_target import NotThere, install
from bench.processes import Meter, parse_stat
from bench.relying_party import kind_of
from bench.stack_target import Population, document, find_population
from bench.target import Accounts, BenchFailed, Member, Target
from bench.wrk import Plan, lua, parse, write_plan

POPULATION = Population("http://localhost:1", 1_001.0, Accounts({"a": "s1"}, {"r": "s2"}, [Member("c=d")], {"p": "pw"}))
RESULT = 'BENCH {"duration_us":2000000.0,"requests":500.0,"operations":250.0,"p50_us":1.0,"p95_us":2.5,"p99_us":3.0}\n'


@pytest.mark.parametrize("words", [["--only", "userinfo,nonsense"], ["--pid", "op=x"]])
def test_options_that_name_nothing_are_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(words)


def test_another_provider_is_described_by_options(tmp_path: Path) -> None:
    """Secrets may come from files, so that they do not appear in the process list."""
    (tmp_path / "secret").write_text("s3cret\n")
    options = ["--issuer", "https://op.example.test/", "--client-id", "c", "--client-secret", f"@{tmp_path}/secret"]

    found = other_provider(parser().parse_args([*options, "--cookie", "a=b", "--pid", "op=12", "--pid", "op=13"]))

    assert (found.name, found.issuer) == ("op.example.test", "https://op.example.test")
    assert found.accounts.clients == {"c": "s3cret"}
    assert found.accounts.members[31].cookie == "a=b"
    assert found.pids == {"op": [12, 13]}


def test_peer_is_not_there_without_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(NotThere, match="node is not installed"):
        install(tmp_path)


def test_request_past_the_gateway_goes_to_the_service_of_its_path() -> None:
    target = Target("t", "http://front", POPULATION.accounts, {}, {"token": "http://127.0.0.1:2"})

    assert target.address_of("http://front/oidc/v1/userinfo", direct=True) == "http://127.0.0.1:2"
    assert target.address_of("http://front/oauth/v2/keys", direct=True) == "http://front"
    assert target.address_of("http://front/oidc/v1/userinfo") == "http://front"


def test_population_is_found_while_it_is_large_and_new_enough(tmp_path: Path) -> None:
    (tmp_path / "members.json").write_bytes(msgspec.json.encode(POPULATION))

    assert find_population(tmp_path, 1, 1_000.0) == POPULATION
    assert find_population(tmp_path, 2, 1_000.0) is None
    assert find_population(tmp_path, 1, 1_001.0) is None
    (tmp_path / "members.json").write_bytes(b"{")
    assert find_population(tmp_path, 1, 1_000.0) is None


def test_document_has_an_application_and_a_service_user_for_each_kind_of_token() -> None:
    [organization] = document({"bench-opaque": "s" * 16, "bench-jwt": "t" * 16}).organizations
    [project] = organization.projects or ()

    assert {app.access_token_type.name for app in project.oidc_apps or ()} == {"BEARER", "JWT"}
    assert len(organization.service_users or ()) == 2


def test_values_of_a_run_are_taken_back(tmp_path: Path) -> None:
    """A line names a member by number, an empty value clears the token, and the file is deleted."""
    members = [Member("", refresh_token=token) for token in ("r1", "r2", "r3")]
    (tmp_path / "state").write_text("1 new\n3 \n")

    take_back(tmp_path / "state", members, "refresh_token")

    assert [member.refresh_token for member in members] == ["new", "r2", ""]
    assert not (tmp_path / "state").exists()


def test_token_kind_is_opaque_or_the_algorithm() -> None:
    head = base64.urlsafe_b64encode(b'{"alg":"ES256"}').rstrip(b"=").decode()

    assert [kind_of(token) for token in (f"{head}.e30.c2ln", "a.b.c", "3fabc")] == ["ES256", "opaque", "opaque"]


def test_plan_is_lua_and_for_its_owner_only(tmp_path: Path) -> None:
    """Quotes, backslashes, control characters and what is not ASCII are escaped with three digits."""
    value: Plan = {"n": [1, True], "text": 'say "\\"\n1ä'}

    assert lua(value) == '{["n"] = {1, true}, ["text"] = "say \\034\\092\\034\\0101\\195\\164"}'
    assert write_plan(tmp_path / "plan.lua", value).stat().st_mode & 0o777 == 0o600


def test_results_are_found_among_what_wrk_prints() -> None:
    """A run that printed none, or half a line, fails with the words of wrk."""
    assert parse(f"Running 1s test\n{RESULT}Requests/sec: 250\n").per_second == 125
    for output in ("unable to connect\n", f"unable to connect\n{RESULT[:60]}"):
        with pytest.raises(BenchFailed, match="unable to connect"):
            parse(output)


def test_name_with_brackets_and_spaces_does_not_shift_the_fields() -> None:
    line = "42 (a ) S 9 (x) S 7 42 42 0 -1 4194304 1 2 3 4 150 50 0 0 20 0 1 0 100 1 1"

    assert parse_stat(line) == (7, 200 / os.sysconf("SC_CLK_TCK"))


async def test_cpu_time_of_components_is_measured_until_one_ends() -> None:
    """A service that was started again would make the difference of two readings a nonsense."""
    work = asyncio.to_thread(lambda: sum(number * number for number in range(3_000_000)))
    _, spent = await Meter({"me": [os.getpid()]}).spent(work)

    assert spent["me"] > 0
    with pytest.raises(BenchFailed, match="token"):
        await Meter({"token": [2**22 + 1]}).spent(asyncio.sleep(0))
