from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import portico_console
from portico_console.static_files import SCRIPT, STYLESHEET
from portico_web.stylesheet import stylesheet

ROOT: Final = Path(portico_console.__file__).parent
JINJA: Final = re.compile(r"\{[{%].*?[%}]\}", re.DOTALL)


def styled(css: bytes) -> set[str]:
    """Classes of selectors, without declarations and conditions."""
    selectors = re.sub(r"/\*.*?\*/|@[^{]*|\{[^{}]*\}", " ", css.decode(), flags=re.DOTALL)
    return set(re.findall(r"\.([a-zA-Z][\w-]*)", selectors))


def literals(text: str) -> str:
    return " ".join(one or other for one, other in re.findall(r"\"([^\"]*)\"|'([^']*)'", text))


TEMPLATES: Final = "\n".join(path.read_text("utf-8") for path in (ROOT / "templates").rglob("*.html"))
HTML: Final = JINJA.sub(lambda block: f" {literals(block[0])} ", TEMPLATES)
"""The templates with the texts of their expressions in place of these."""

IN_HTML: Final = {one for classes in re.findall(r'\bclass="([^"]*)"', HTML) for one in classes.split()}
IN_CODE: Final = {
    *literals(SCRIPT.content.decode()).split(),
    *(one for block in JINJA.findall(TEMPLATES) for one in literals(block).split()),
    *(one for path in ROOT.rglob("*.py") for one in literals(path.read_text("utf-8")).split()),
}


def test_every_class_of_the_stylesheet_is_used() -> None:
    """A template has it, or a text of a macro, the script or a Python module."""
    unused = styled(STYLESHEET.content) - IN_HTML - IN_CODE

    assert not unused


def test_every_class_of_a_template_is_styled() -> None:
    """Or has the stylesheet of the sign-in pages, whose ``card`` the sample repeats; ``preview-`` is a prefix."""
    unstyled = IN_HTML - styled(STYLESHEET.content) - styled(stylesheet().content) - {"card", "preview-"}

    assert not unstyled
