"""The rules that keep tests from failing by chance, each with what it finds and what it leaves alone."""

from __future__ import annotations

from typing import Final

import pytest
import rules
from house_rules.rule import FileRule
from house_rules.source import Source
from house_rules.steady_tests import ChosenPorts, FixedWaits, LoadingPages, ShortDeadlines

TEST: Final = "services/keys/tests/unit/test_thing.py"
PRODUCT: Final = "services/keys/portico_keys/thing.py"


def found(rule: FileRule, text: str, path: str = TEST) -> list[int]:
    """The lines a rule finds in a text."""
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
def test_a_pause_of_a_test_is_found(text: str) -> None:
    """A test waits for a condition and never for a time, of whatever length it is."""
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
def test_what_is_no_pause_is_left_alone(text: str) -> None:
    """Letting other tasks run and waiting for an event take no fixed time."""
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
def test_a_short_deadline_of_a_test_is_found(text: str) -> None:
    """A limit that a busy machine may miss is found wherever a test waits for a success."""
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
def test_a_generous_or_stated_limit_is_left_alone(text: str) -> None:
    """A limit that only a hang meets, and a constant that has its reason, are no short deadlines."""
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
def test_a_port_that_is_chosen_by_hand_is_found(text: str) -> None:
    """A port that a probe finds and releases, or that is written down, may be taken when it is used."""
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
def test_a_port_that_its_owner_holds_is_left_alone(text: str) -> None:
    """A listener on port 0 keeps its port, and a claimed number belongs to its process."""
    assert found(ChosenPorts(), text) == []


def page_test(*lines: str) -> str:
    """A test of a browser with these lines, the first of which is line 4."""
    return "\n    ".join(
        ["from playwright.async_api import Page, expect\n\nasync def test_it(tab: Page) -> None:", *lines]
    )


def test_reading_a_page_at_once_after_a_click_is_found() -> None:
    """The page before is read where the next one has not loaded yet."""
    click, read = 'await tab.locator("#submit").click()', 'codes = await tab.locator("li").all_inner_texts()'
    wait = 'await expect(tab.locator("li")).to_have_count(10)'
    assert found(LoadingPages(), page_test(click, "fits = True", read)) == [6]
    assert found(LoadingPages(), page_test(click, wait, read)) == []
    assert found(LoadingPages(), page_test(read, click)) == []
    assert found(LoadingPages(), page_test(click, 'text = await tab.locator("li").inner_text()')) == []


def test_a_reason_is_read_at_the_end_of_a_call() -> None:
    """A call on several lines has its reason behind the last one."""
    source = Source.read(TEST, "eventually(\n    ask, bool, 5\n)  # allow short-deadline: it is repeated\n")

    assert list(rules._not_allowed({TEST: source}, ShortDeadlines().check(source))) == []
