"""Counts the Python calls of a service; Python imports it at its start, where `bench.trees` has put it on the path.

At SIGUSR2 the calls since the start are written as JSON, by function, to a file named after the process.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections import Counter
from types import CodeType, FrameType


def _start(folder: str) -> None:
    counts: dict[CodeType, int] = {}

    def called(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            counts[frame.f_code] = counts.get(frame.f_code, 0) + 1

    def write(_number: int, _frame: FrameType | None) -> None:
        sys.setprofile(None)
        named = Counter[str]()
        for code, count in list(counts.items()):
            named[f"{code.co_filename}:{code.co_qualname}"] += count
        path = f"{folder}/{os.getpid()}.json"
        with open(f"{path}.new", "w", encoding="utf-8") as file:  # noqa: PTH123 - imports nothing that services do not
            json.dump(named, file)
        os.replace(f"{path}.new", path)  # noqa: PTH105
        sys.setprofile(called)

    signal.signal(signal.SIGUSR2, write)
    threading.setprofile(called)
    sys.setprofile(called)


if "BENCH_CALLS" in os.environ and any(word.startswith("portico_") for word in sys.orig_argv[2:3]):
    _start(os.environ["BENCH_CALLS"])
