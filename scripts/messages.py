"""Merges the English messages of pages, emails and errors into the catalogues; with ``--check`` only lists what is not translated.

python scripts/messages.py [--check]
"""

from __future__ import annotations

import sys

from translations.catalogues import merge_all, missing, report


def main(arguments: list[str]) -> int:
    """The exit status: 0 also where translations are missing, 2 for unknown arguments."""
    if arguments not in ([], ["--check"]):
        print("python scripts/messages.py [--check]")
        return 2
    if not arguments:
        merge_all()
    for line in report(missing()):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
