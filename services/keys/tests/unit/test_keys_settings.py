from __future__ import annotations

import subprocess
import sys

import pytest
from portico_fakes.keys_service import MASTER_KEY
from portico_harness.rows import row
from portico_keys.settings import Settings
from pydantic import ValidationError


def started(**environment: str) -> subprocess.CompletedProcess[str]:
    """Returns the output of ``python -m portico_keys check-settings``."""
    command = [sys.executable, "-m", "portico_keys", "check-settings"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=30)


@pytest.mark.slow
def test_missing_master_key_stops_the_start() -> None:
    """Without a master key the service exits with one sentence (FD-17)."""
    result = started()

    assert result.returncode == 2
    assert "PORTICO_MASTER_KEYS" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.slow
def test_malformed_master_key_is_not_repeated() -> None:
    """The error names the setting and not its value, which may be part of a secret (IN-09)."""
    result = started(PORTICO_MASTER_KEYS=f"{MASTER_KEY},c2hvcnQ=")

    assert result.returncode == 2
    assert "master key 2 is malformed" in result.stderr
    assert "c2hvcnQ=" not in result.stderr
    assert MASTER_KEY not in result.stderr


@pytest.mark.slow
def test_effective_settings_show_no_secret() -> None:
    result = started(PORTICO_MASTER_KEYS=MASTER_KEY)

    assert result.returncode == 0
    assert "PORTICO_SIGNING_ALGORITHMS" in result.stdout
    assert MASTER_KEY not in result.stdout


def test_unknown_algorithm_stops_the_start() -> None:
    """Only the published algorithms can be configured, each once (JW-01)."""
    for names in ("HS256", "none", "RS256,RS256", "rs256", "RS256,", ""):
        with row(names):
            with pytest.raises(ValidationError):
                Settings.model_validate({"master_keys": MASTER_KEY, "signing_algorithms": names})
