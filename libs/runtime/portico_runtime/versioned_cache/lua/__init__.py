from __future__ import annotations

from importlib.resources import files


def source(name: str) -> str:
    return (files(__name__) / f"{name}.lua").read_text(encoding="utf-8")
