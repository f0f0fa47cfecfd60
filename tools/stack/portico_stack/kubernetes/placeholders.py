"""Members of an object that the values of the chart decide: kept as strings until the object is text, and then written for Helm."""

from __future__ import annotations

import re
from typing import Final

from portico_stack.kubernetes.names import Manifest

_VALUE: Final = re.compile(r"HELM_VALUE_([0-9a-f]+)")
_CHOICE: Final = re.compile(r"^( *)HELM_CHOICE_(\w+): HELM_IF_([0-9a-f]+)_([0-9a-f]+)$", re.MULTILINE)
_PAIRS: Final = re.compile(r"^( *)- HELM_PAIRS_([0-9a-f]+)$", re.MULTILINE)


def given(expression: str) -> str:
    """In the place of a member's value: what the expression yields, as YAML in one line."""
    return f"HELM_VALUE_{_hidden(expression)}"


def choice(name: str, condition: str, expression: str) -> Manifest:
    """A member that is there under a condition."""
    return {f"HELM_CHOICE_{name}": f"HELM_IF_{_hidden(condition)}_{_hidden(expression)}"}


def pairs(expression: str) -> str:
    """In the place of an item of a list: one item with ``name`` and ``value`` for each member of a map."""
    return f"HELM_PAIRS_{_hidden(expression)}"


def filled(text: str) -> str:
    """YAML with what Helm evaluates in the place of all of them."""
    return _VALUE.sub(_value, _CHOICE.sub(_choice, _PAIRS.sub(_items, text)))


def _hidden(text: str) -> str:
    # Neither quoted nor folded, whatever is in it.
    return text.encode().hex()


def _shown(hidden: str) -> str:
    return bytes.fromhex(hidden).decode()


def _value(found: re.Match[str]) -> str:
    return f"{{{{ {_shown(found[1])} }}}}"


def _choice(found: re.Match[str]) -> str:
    indentation, name = found[1], found[2]
    return "\n".join(
        (
            f"{indentation}{{{{- if {_shown(found[3])} }}}}",
            f"{indentation}{name}: {{{{ {_shown(found[4])} }}}}",
            f"{indentation}{{{{- end }}}}",
        )
    )


def _items(found: re.Match[str]) -> str:
    indentation = found[1]
    return "\n".join(
        (
            f"{indentation}{{{{- range $name, $value := {_shown(found[2])} }}}}",
            f"{indentation}- name: {{{{ $name }}}}",
            f"{indentation}  value: {{{{ $value | quote }}}}",
            f"{indentation}{{{{- end }}}}",
        )
    )
