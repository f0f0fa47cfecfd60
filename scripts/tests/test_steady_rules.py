from __future__ import annotations

from typing import Final

import pytest
import rules
from house_rules.rule import FileRule
from house_rules.source import Source
from house_rules.steady_tests import ChosenPorts, FixedWaits, LoadingPages, ShortDeadlines, ShortMarkers

TEST: Final = "services/keys/tests/unit/test_thing.py"
PRODUCT: Final = "services/keys/portico_keys/thing.py"


def found(rule: FileRule, text: str, path: str = TEST) -> list[int]:
    """Returns the lines that a rule reports."""
    return [finding.line for finding in rule.check(Source.read(path, text))]


@pytest.mark.parametrize(
    "text",
    [
        "await asyncio.sleep(0.1)",
        "time.sleep(SECONDS)",
        "sleep(max(at - now(), 0))",
        "page.wait_for_timeout(250)",
        "await asyncio.wait([task], timeout=0.5)",
    ],
)
def test_pause_in_a_test_is_found(text: str) -> None:
    assert found(FixedWaits(), text) == [1]
    assert found(FixedWaits(), text, PRODUCT) == []


@pytest.mark.parametrize(
    "text",
    [
        "await asyncio.sleep(0)",
        "asyncio.sleep(0, answer)",
        "await changed.wait()",
        "asyncio.wait(tasks)",
        "page.wait()",
    ],
)
def test_yielding_and_waiting_for_events_pass(text: str) -> None:
    assert found(FixedWaits(), text) == []


@pytest.mark.parametrize(
    "text",
    [
        "await eventually(ask, bool, 5)",
        "await eventually(ask, bool, seconds=19.9)",
        "async with asyncio.timeout(10): pass",
        "await asyncio.wait_for(done.wait(), 1)",
        "await asyncio.wait_for(done.wait(), timeout=1)",
        "httpx.AsyncClient(base_url=url, timeout=5)",
        "httpx.Client(timeout=5)",
    ],
)
def test_short_deadline_in_a_test_is_found(text: str) -> None:
    source = f"async def f():\n    {text}"
    assert found(ShortDeadlines(), source) == [2]
    assert found(ShortDeadlines(), source, PRODUCT) == []


@pytest.mark.parametrize(
    "text",
    [
        "eventually(ask, bool)",
        "eventually(ask, bool, 60)",
        "eventually(ask, bool, RECOVERY_SECONDS)",
        "asyncio.timeout(HANGS)",
        "asyncio.timeout(None)",
        "lines.wait_for('is ready')",
        "RedisClient(section(timeout=0.3))",
        "httpx.AsyncClient()",
    ],
)
def test_generous_or_explained_deadline_passes(text: str) -> None:
    assert found(ShortDeadlines(), text) == []


@pytest.mark.parametrize(
    "text",
    [
        'probe.bind(("127.0.0.1", 0))',
        'probe.bind(("127.0.0.1", 8080))',
        'socket.create_server(("127.0.0.1", 8080))',
        'asyncio.start_server(answer, "127.0.0.1", 8080)',
    ],
)
def test_port_chosen_by_hand_is_found(text: str) -> None:
    assert found(ChosenPorts(), text) == [1]
    assert found(ChosenPorts(), text, PRODUCT) == []


@pytest.mark.parametrize(
    "text",
    [
        'socket.create_server(("127.0.0.1", 0))',
        'asyncio.start_server(answer, "127.0.0.1", 0)',
        'socket.create_server(("127.0.0.1", free_port()))',
        "structlog.bind(port=8080)",
        "free_port()",
    ],
)
def test_port_held_by_its_owner_passes(text: str) -> None:
    assert found(ChosenPorts(), text) == []


def page_test(*lines: str) -> str:
    """Returns a browser test with these lines, beginning at line 4."""
    return "\n    ".join(
        ["from playwright.async_api import Page, expect\n\nasync def test_it(tab: Page) -> None:", *lines]
    )


def test_unawaited_read_after_a_click_is_found() -> None:
    click, read = 'await tab.locator("#submit").click()', 'codes = await tab.locator("li").all_inner_texts()'
    wait = 'await expect(tab.locator("li")).to_have_count(10)'
    assert found(LoadingPages(), page_test(click, "fits = True", read)) == [6]
    assert found(LoadingPages(), page_test(click, wait, read)) == []
    assert found(LoadingPages(), page_test(read, click)) == []
    assert found(LoadingPages(), page_test(click, 'text = await tab.locator("li").inner_text()')) == []


@pytest.mark.parametrize("text", ["'Ada' not in answer.text", "b'a1' not in stored", "'Eve' not in str(rows[0])"])
def test_marker_that_random_text_contains_is_found(text: str) -> None:
    assert found(ShortMarkers(), f"assert {text}") == [1]
    assert found(ShortMarkers(), f"assert {text}", PRODUCT) == []


@pytest.mark.parametrize(
    "text", ["'Lovelace' not in answer.text", "' Eve' not in str(rows)", "'sid' not in claims", "'Ada' in answer.text"]
)
def test_long_markers_and_keys_pass(text: str) -> None:
    assert found(ShortMarkers(), f"assert {text}") == []


def test_reason_may_follow_the_end_of_a_call() -> None:
    source = Source.read(TEST, "eventually(\n    ask, bool, 5\n)  # allow short-deadline: it is repeated\n")

    assert list(rules._not_allowed({TEST: source}, ShortDeadlines().check(source))) == []
