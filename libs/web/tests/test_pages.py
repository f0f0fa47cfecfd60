"""Rendering pages."""

from __future__ import annotations

import pytest
from jinja2 import UndefinedError
from portico_web.pages import environment, page


def test_a_missing_variable_is_an_error() -> None:
    """A page with a hole is a fault, not a page (AZ-08)."""
    with pytest.raises(UndefinedError):
        page("error.html", sentence="x")


def test_everything_is_escaped() -> None:
    """Templates have no way around autoescaping (AZ-08)."""
    template = environment().from_string("<p title='{{ value }}'>{{ value }}</p>")

    assert "<b>" not in template.render(value="<b>'\"&")
    assert "&lt;b&gt;&#39;&#34;&amp;" in template.render(value="<b>'\"&")


def test_no_shared_template_marks_anything_safe() -> None:
    """Neither the filter nor the switch appears in a template."""
    loader = environment().loader
    assert loader is not None
    sources = [loader.get_source(environment(), name)[0] for name in loader.list_templates() if name.endswith(".html")]

    assert sources
    assert not any("|safe" in text.replace(" ", "") or "autoescape" in text for text in sources)
