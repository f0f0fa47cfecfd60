from __future__ import annotations

import sys
from pathlib import Path

import image_python
import pytest
from image_python import find_python, image_version

THIS = f"{sys.version_info[0]}.{sys.version_info[1]}"


def test_version_is_that_of_the_dockerfile(tmp_path: Path) -> None:
    file = tmp_path / "Dockerfile"
    file.write_text("# All stages\nARG BASE=python:3.42-slim-trixie\nFROM ${BASE}\n")

    assert image_version(file) == "3.42"
    assert image_version() in ("3.13", "3.14")


def test_command_that_refuses_to_run_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of pyenv refuse to run for a version that is installed but not selected."""
    on_path, of_pyenv = (
        tmp_path / "bin" / f"python{THIS}",
        tmp_path / "versions" / f"{THIS}.9" / "bin" / f"python{THIS}",
    )
    for file, text in ((on_path, "#!/bin/sh\nexit 127\n"), (of_pyenv, f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')):
        file.parent.mkdir(parents=True)
        file.write_text(text)
        file.chmod(0o755)
    monkeypatch.setenv("PATH", str(on_path.parent))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))

    assert find_python(THIS) == str(of_pyenv)


def test_missing_python_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))

    assert image_python.main([]) == 1
    assert "that of the images, is not installed: install python3." in capsys.readouterr().err
