"""Descriptions of the .proto files for generated forms; generated descriptors have no comments."""

from __future__ import annotations

import json
from typing import Final

from generated_code.comments import comments, declared
from generated_code.messages import PACKAGE

PATH: Final = f"{PACKAGE}/field_texts.json"


def field_texts() -> dict[str, str]:
    """Returns the file by path, one description per line."""
    found = {name: comments().get(name, "") for name in sorted(declared())}
    return {PATH: json.dumps(found, ensure_ascii=False, indent=0) + "\n"}
