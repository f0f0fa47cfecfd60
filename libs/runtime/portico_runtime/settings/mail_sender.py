from __future__ import annotations

import re
from typing import Final

_ATOM: Final = r"[^\s<>@,;:()\"\\\[\].\x00-\x1f\x7f]+"
_DOTTED: Final = rf"{_ATOM}(?:\.{_ATOM})*"
_ADDRESS: Final = rf"{_DOTTED}@(?:{_DOTTED}|\[[0-9A-Za-z.:]+\])"
_SENDER: Final = re.compile(rf"(?P<name>[^<>@\x00-\x1f\x7f]+) <(?P<address>{_ADDRESS})>|{_ADDRESS}")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')


def read_sender(text: str) -> str:
    """Returns ``Name <address>`` or an address in the format of RFC 5322, whether or not the name was quoted."""
    found = _SENDER.fullmatch(text)
    if not found:
        raise ValueError("the sender must be an address, or Name <address>")
    return f"{_quoted(found['name'])} <{found['address']}>" if found["name"] else text


def _quoted(name: str) -> str:
    text = re.sub(r"\\(.)", r"\1", quoted[1]) if (quoted := _QUOTED.fullmatch(name.strip())) else name
    return '"{}"'.format(re.sub(r'(["\\])', r"\\\1", text)) if re.search(r'[",;:()\[\]\\]', text) else text
