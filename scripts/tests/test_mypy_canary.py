"""A canary for the type checker: mypy must report planted errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.long, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]

PLANTED = {
    "the wrong message for a question": (
        "from portico_contracts.keys import PUBLIC_KEYS, AskActiveKeys\n"
        "from portico_runtime.bus.bus import Bus\n\n\n"
        "async def ask(bus: Bus) -> None:\n"
        "    await bus.call(PUBLIC_KEYS, AskActiveKeys(public_key=b''))\n"
    ),
    "the wrong reply of a question": (
        "from portico_contracts.keys import PUBLIC_KEYS, ActiveKeys, AskPublicKeys\n"
        "from portico_runtime.bus.bus import Bus\n\n\n"
        "async def ask(bus: Bus) -> ActiveKeys:\n"
        "    return await bus.call(PUBLIC_KEYS, AskPublicKeys())\n"
    ),
    "a function without types": "def untyped(value):\n    return value\n",
    "an optional used as if it were there": (
        "from portico_oauth.opaque import bucket_in\n\n\ndef f(text: str) -> str:\n    return bucket_in(text).upper()\n"
    ),
}


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("canary")
    for number, text in enumerate([*PLANTED.values(), "VALUE: int = 1\n"]):
        (folder / f"planted_{number}.py").write_text(text)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        str(ROOT / "pyproject.toml"),
        *map(str, sorted(folder.glob("*.py"))),
    ]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("what", PLANTED)
def test_planted_error_is_reported(reported: str, what: str) -> None:
    number = list(PLANTED).index(what)

    assert any(f"planted_{number}.py:" in line and ": error: " in line for line in reported.splitlines())


def test_correct_file_is_not_reported(reported: str) -> None:
    assert f"planted_{len(PLANTED)}.py" not in reported
