"""A processor that cannot run MongoDB is named before MongoDB dies of it."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest
from portico_stack import in_compose, up
from portico_stack.assembly.layout import StackOptions
from portico_stack.machine import binaries
from portico_stack.machine.processor import ProcessorTooOld, require_processor_for_mongod

OLD_X86 = "processor\t: 0\nflags\t\t: fpu sse4_2 avx512f\n"
NEW_X86 = "processor\t: 0\nflags\t\t: fpu sse4_2 avx\n"
OLD_ARM = "processor\t: 0\nFeatures\t: fp asimd crc32\n"
NEW_ARM = "processor\t: 0\nFeatures\t: fp asimd crc32 atomics\n"


def mongod_of(folder: Path, printed: str) -> Path:
    """A program that prints this version, and does not serve."""
    program = folder / "mongod"
    program.write_text(f"#!/bin/sh\necho '{printed}'\n")
    program.chmod(0o700)
    return program


def written(folder: Path, text: str) -> Path:
    file = folder / "cpuinfo"
    file.write_text(text)
    return file


@pytest.mark.parametrize(("machine", "text", "missing"), [("x86_64", OLD_X86, "AVX"), ("aarch64", OLD_ARM, "ARMv8.2")])
def test_old_processors_are_refused(tmp_path: Path, machine: str, text: str, missing: str) -> None:
    """The error names what is missing and the setting for a MongoDB elsewhere."""
    with pytest.raises(ProcessorTooOld, match=rf"{missing}.*PORTICO_STACK_MONGO_URL"):
        require_processor_for_mongod(written(tmp_path, text), machine)


@pytest.mark.parametrize(
    ("machine", "text"), [("x86_64", NEW_X86), ("aarch64", NEW_ARM), ("x86_64", "model: 1\n"), ("riscv64", OLD_X86)]
)
def test_other_processors_are_accepted(tmp_path: Path, machine: str, text: str) -> None:
    require_processor_for_mongod(written(tmp_path, text), machine)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the file is that of an x86-64")
@pytest.mark.parametrize("printed", ["", "db version v8.0.30", "db version v5.0.0"])
def test_processor_counts_for_a_named_mongod_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: str) -> None:
    """A mongod of the image, or one that crashes before it prints its version, is checked too."""
    monkeypatch.setenv("PORTICO_STACK_MONGOD", str(mongod_of(tmp_path, printed)))
    monkeypatch.setattr(binaries, "CPUINFO", written(tmp_path, OLD_X86))

    with pytest.raises(ProcessorTooOld):
        binaries.find_mongod()


def test_older_mongod_runs_on_every_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTICO_STACK_MONGOD", str(mongod_of(tmp_path, "db version v4.4.29")))
    monkeypatch.setattr(binaries, "CPUINFO", written(tmp_path, OLD_X86))

    assert binaries.find_mongod() == tmp_path / "mongod"


@pytest.mark.servers
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the file is that of an x86-64")
async def test_portico_up_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`portico up` ends with the message, and the composition prints it before it starts MongoDB."""
    monkeypatch.delenv("PORTICO_STACK_MONGOD", raising=False)
    for module in (binaries, in_compose):
        monkeypatch.setattr(module, "CPUINFO", written(tmp_path, OLD_X86))

    status = await up.run(StackOptions(tmp_path / "data", port=0), verbose=False)
    told = capsys.readouterr().err
    in_compose.lay_out(tmp_path / "volume")

    assert status == 1
    assert "cannot start: MongoDB needs a processor with AVX" in told
    assert "MongoDB needs a processor with AVX" in capsys.readouterr().err
