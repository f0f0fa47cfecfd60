"""Writes all generated files; with ``--check`` compares them and prints the command to run.

python scripts/generate.py [--check]

The Python messages and the gateway texts are written first. All else is written by a second process, which
imports the services and therefore needs the messages. It also writes the permissions into the .proto files;
if one changed, everything is generated again.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Final

from generated_code.gateway_words import gateway_words
from generated_code.login_steps import login_steps
from generated_code.messages import PACKAGE, messages
from generated_code.protoc import PROTO, proto_files
from generated_files import ROOT, Generated, compare_or_write

OWNED: Final = (f"{PACKAGE}/**/*.py", f"{PACKAGE}/**/*.pyi")
DOCUMENTS: Final = ROOT / "scripts" / "generate_documents.py"


def main(arguments: list[str]) -> int:
    """Returns 1 if ``--check`` found a difference."""
    before = _proto_texts()
    status = compare_or_write(Generated(OWNED, messages() | login_steps() | gateway_words()), arguments)
    status = status or subprocess.run([sys.executable, str(DOCUMENTS), *arguments], check=False).returncode
    if status or _proto_texts() == before:
        return status
    return subprocess.run([sys.executable, __file__, *arguments], check=False).returncode


def _proto_texts() -> list[str]:
    return [(PROTO / path).read_text() for path in proto_files()]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
