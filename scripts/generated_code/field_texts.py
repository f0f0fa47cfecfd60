"""The descriptions of the .proto files for programs that show forms: generated descriptors carry no comments."""

from __future__ import annotations

import json
from typing import Final

from generated_code.comments import comments, declared
from generated_code.messages import PACKAGE

PATH: Final = f"{PACKAGE}/field_texts.json"


def field_texts() -> dict[str, str]:
    """The file: its path below the root of the repository, and its text with one description a line."""
    found = {name: comments().get(name, "") for name in sorted(declared())}
    return {PATH: json.dumps(found, ensure_ascii=False, indent=0) + "\n"}
