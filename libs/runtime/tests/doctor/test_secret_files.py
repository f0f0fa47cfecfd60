from __future__ import annotations

from pathlib import Path

import pytest
from portico_runtime.doctor.secret_files import check_secret_files


@pytest.mark.parametrize(
    ("directory", "file", "level", "text"),
    [
        (0o755, 0o644, "wrong", "every user of this machine may read portico_bus_password"),
        (0o755, 0o440, "ok", "1 files, which others cannot read"),
        (0o700, 0o644, "ok", "1 files, in a directory that others cannot enter"),
    ],
    ids=["open", "of the group", "in a closed directory"],
)
def test_readable_secret_files_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, directory: int, file: int, level: str, text: str
) -> None:
    """A secret file readable by other users is reported; its group may read it, as on Kubernetes."""
    path = tmp_path / "secrets"
    path.mkdir()
    (path / "portico_bus_password").write_text("canary")
    (path / "portico_bus_password").chmod(file)
    path.chmod(directory)
    monkeypatch.setenv("PORTICO_SECRETS_DIR", str(path))
    found = check_secret_files()

    assert (found.level, found.text) == (level, text)
    assert bool(found.fix) == (level == "wrong")


def test_missing_secrets_directory_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PORTICO_SECRETS_DIR", raising=False)

    assert check_secret_files().level == "ok"
