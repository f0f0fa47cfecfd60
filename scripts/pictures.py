"""Marks the pictures in docs/pictures as those of the present pages; `make pictures` runs it."""

from __future__ import annotations

from generated_files import ROOT
from releasing.pictures import write_mark

if __name__ == "__main__":
    write_mark(ROOT)
