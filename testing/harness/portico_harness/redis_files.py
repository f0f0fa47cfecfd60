"""What a Redis or Valkey stores: one file up to Redis 6.2, a directory from Redis 7 on."""

from __future__ import annotations

import shutil
from pathlib import Path


def remove_redis_files(data: Path) -> None:
    """Removes the data of a stopped server, which then starts empty; its configuration stays."""
    for path in [*data.rglob("append*"), *data.rglob("*.rdb")]:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def log_of_commands(data: Path) -> Path:
    """Returns the file that the server appends to."""
    in_directory = sorted(data.glob("appendonlydir/*.incr.aof"), key=lambda file: file.stat().st_mtime)
    return in_directory[-1] if in_directory else data / "appendonly.aof"
