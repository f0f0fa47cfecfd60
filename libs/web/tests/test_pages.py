from __future__ import annotations

import pytest
from jinja2 import UndefinedError
from portico_web.languages import LANGUAGES
from portico_web.pages import environment, page


def test_missing_variable_is_an_error() -> None:
    """A template with an undefined variable fails instead of rendering a gap (AZ-08)."""
    with pytest.raises(UndefinedError):
        page("error.html", sentence="x")


def test_everything_is_escaped() -> None:
    """A template has no way to disable autoescaping (AZ-08)."""
    template = environment().from_string("<p title='{{ value }}'>{{ value }}</p>")

    assert "<b>" not in template.render(value="<b>'\"&")
    assert "&lt;b&gt;&#39;&#34;&amp;" in template.render(value="<b>'\"&")


def test_no_shared_template_marks_anything_safe() -> None:
    loader = environment().loader
    assert loader is not None
    sources = [loader.get_source(environment(), name)[0] for name in loader.list_templates() if name.endswith(".html")]

    assert sources
    assert not any("|safe" in text.replace(" ", "") or "autoescape" in text for text in sources)


def test_template_is_compiled_once_for_all_languages() -> None:
    """To compile a template takes longer than to render it, and its code takes memory."""
    templates = [environment(language=language).get_template("error.html") for language in LANGUAGES]

    assert len({id(template.root_render_func.__code__) for template in templates}) == 1


def test_sentences_of_python_are_escaped() -> None:
    """A sentence may contain what a user typed: tags are shown as text, and a percent sign is no place of a value."""
    show = environment().from_string("{{ _(said) }} {{ _('%(name)s of 100%%', name=said) }}").render

    assert show(said="<b>50% off %(a)s</b>") == (
        "&lt;b&gt;50% off %(a)s&lt;/b&gt; &lt;b&gt;50% off %(a)s&lt;/b&gt; of 100%"
    )
