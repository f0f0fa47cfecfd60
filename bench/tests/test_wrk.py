"""Driving wrk and reading its output."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.wrk import Course, Drive, Errors, LoadFailed, command, parse

_NOISE = "Running 1s test @ http://127.0.0.1:1\n  32 threads and 32 connections\n"
_LINE = (
    'BENCH {"duration_us":2000000.000,"requests":500.000,"operations":250.000,"p50_us":1000.000,"p95_us":2000.500,'
    '"p99_us":3000.000,"errors":{"connect":0.000,"read":1.000,"write":0.000,"timeout":2.000,"status":4.000,'
    '"answer":5.000},"first_bad":"token: 400 {\\u0022error\\u0022}"}\n'
)


def test_output_without_results_is_refused_with_the_output_of_wrk() -> None:
    """A run that printed no results is a failure that shows wrk's own words."""
    with pytest.raises(LoadFailed, match="unable to connect"):
        parse("unable to connect to 127.0.0.1:1 Connection refused\n")


def test_results_that_are_cut_off_are_refused() -> None:
    """Half a line of results is no result."""
    with pytest.raises(LoadFailed):
        parse(_NOISE + _LINE[:60])


def test_results_are_found_among_what_wrk_prints() -> None:
    """The one line of the script counts, wherever in the output it appears."""
    load = parse(_NOISE + _LINE + "Requests/sec: 250\n")

    assert load.requests == 500
    assert load.per_second == 125
    assert load.p95_us == 2000.5
    assert load.first_bad == 'token: 400 {"error"}'


def test_bad_answer_with_bad_status_counts_once() -> None:
    """Wrk counts a status and the script counts the same answer; socket errors come on top."""
    errors = Errors(read=1, timeout=2, status=4, answer=5)

    assert errors.total() == 8
    assert str(errors) == "1 read, 2 timeout, 4 status, 5 answer"
    assert str(Errors()) == "none"


@pytest.mark.parametrize(("chained", "threads"), [(False, "-t1"), (True, "-t8")])
def test_chained_operations_have_one_connection_per_thread(chained: bool, threads: str) -> None:
    """The state of a thread is the state of one chain, so a chain never shares its thread."""
    course = Course("http://127.0.0.1:1", "refresh", Path("plan.lua"), chained)

    words = command(course, Drive(seconds=3, connections=8))

    assert words[:4] == ["wrk", threads, "-c8", "-d3s"]
    assert words[-1] == "http://127.0.0.1:1"
