from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import grpc_tools
from google.api import http_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet

PROTO: Final = Path(__file__).resolve().parents[2] / "libs" / "contracts" / "proto"


def proto_files() -> list[str]:
    return sorted(path.relative_to(PROTO).as_posix() for path in PROTO.glob("**/*.proto"))


def run(options: Sequence[str]) -> None:
    """Runs protoc with our files and their imports.

    Raises:
        subprocess.CalledProcessError: protoc refused a file and printed why.
    """
    google = Path(http_pb2.__file__).parents[2]
    standard = Path(grpc_tools.__file__).parent / "_proto"
    paths = [f"-I{path}" for path in (PROTO, google, standard)]
    command = [sys.executable, "-m", "grpc_tools.protoc", *paths, *options, *proto_files()]
    subprocess.run(command, check=True, cwd=PROTO)


def run_on(files: FileDescriptorSet, options: Sequence[str], names: Sequence[str]) -> None:
    """Runs protoc with files that exist only as descriptors."""
    with TemporaryDirectory() as directory:
        source = Path(directory) / "set.binpb"
        source.write_bytes(files.SerializeToString())
        command = [sys.executable, "-m", "grpc_tools.protoc", f"--descriptor_set_in={source}", *options, *names]
        subprocess.run(command, check=True)


@cache
def descriptors() -> FileDescriptorSet:
    """Returns all files with imports and comments."""
    with TemporaryDirectory() as directory:
        target = Path(directory) / "set.binpb"
        run([f"--descriptor_set_out={target}", "--include_imports", "--include_source_info"])
        return FileDescriptorSet.FromString(target.read_bytes())
