"""Writes everything that is generated; with ``--check`` compares and names what to run.

python scripts/generate.py [--check]

The Python messages and the texts of the gateway come first, and everything else from a process of its own: it imports the
services and the stack, which import what may not have been there before. That process also writes the permissions of methods
into the .proto files; where it changed one, everything is generated once more from what it has now.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Final

from generated_code.gateway_words import gateway_words
from generated_code.messages import PACKAGE, messages
from generated_code.protoc import PROTO, proto_files
from generated_files import ROOT, Generated, compare_or_write

OWNED: Final = (f"{PACKAGE}/**/*.py", f"{PACKAGE}/**/*.pyi")
DOCUMENTS: Final = ROOT / "scripts" / "generate_documents.py"


def main(arguments: list[str]) -> int:
    """The exit status: 1 when ``--check`` found a difference."""
    before = _proto_texts()
    status = compare_or_write(Generated(OWNED, messages() | gateway_words()), arguments)
    status = status or subprocess.run([sys.executable, str(DOCUMENTS), *arguments], check=False).returncode
    if status or _proto_texts() == before:
        return status
    return subprocess.run([sys.executable, __file__, *arguments], check=False).returncode


def _proto_texts() -> list[str]:
    return [(PROTO / path).read_text() for path in proto_files()]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
