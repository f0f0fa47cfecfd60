"""The house rule for texts shown to users."""

from __future__ import annotations

from pathlib import Path

import pytest
from house_rules.plain_texts import CONSTRUCTIONS, PlainTexts, texts_of, translated_texts
from house_rules.source import Source

CLI = "tools/portico/portico_cli/thing_command.py"
PRODUCT = "services/x/portico_x/y.py"


def found(root: Path, *sources: Source) -> list[str]:
    """Returns the findings without file and line."""
    return [finding.text for finding in PlainTexts().check(root, sources)]


def of_error(text: str) -> Source:
    return Source.read(PRODUCT, f'E = ErrorCode("X-001", Kind.NOT_FOUND, "{text}", "Check the id.")')


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("There is no such key.", "'not found'"),
        ("This is no key.", "'is not a …'"),
        ("This is none of your codes.", "'is not a …'"),
        ("Each code is good once.", "'works once'"),
        ("The link is good for an hour.", "'expires in …'"),
        ("This key stands there twice.", "'is listed'"),
        ("The organization has a policy of its own.", "'its own …' before the noun"),
        ("Is deleted with its user.", "a subject before the verb"),
        ("Who has the link can sign in.", "'Anyone who …'"),
        ("It lives.", "the noun"),
        ("The old secret stays good beside the new one.", "'keeps working'"),
        ("Leave the algorithm out.", "'Omit …'"),
        ("The registration was begun elsewhere.", "'start'"),
    ],
)
def test_finding_has_the_plain_form(tmp_path: Path, text: str, plain: str) -> None:
    """The message of a finding has the replacement."""
    assert any(plain in finding for finding in found(tmp_path, of_error(text)))


@pytest.mark.parametrize(
    "text",
    [
        "Key not found.",
        "This key is no longer registered.",
        "There is no second factor.",
        "Is this your device?",
        "Each code works once.",
        "The standard endpoint.",
        "Omit the algorithm.",
    ],
)
def test_plain_sentence_has_no_finding(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, of_error(text)) == []


def test_every_pattern_can_match() -> None:
    """No pattern is made impossible by a word boundary, and each has its plain form."""
    assert len(CONSTRUCTIONS) >= 20
    assert all(CONSTRUCTIONS.values())


@pytest.mark.parametrize(
    ("path", "code"),
    [
        (PRODUCT, 'x = Field(default="", description="A name of its own.")'),
        (PRODUCT, 'C = Counter("portico_x_total", "Buckets that began anew.")'),
        (PRODUCT, '@click.option("--x", help="Good once.")\ndef f(): ...'),
        (CLI, 'click.echo(f"{name} has a key of its own")'),
        (CLI, '@group.command("x")\ndef f():\n    """Makes a directory of its own."""'),
        (
            "libs/runtime/portico_runtime/settings/sections/x.py",
            'class XSection(Section):\n    """Settings of its own."""',
        ),
        ("services/console/portico_console/console_app/screens/tables/x.py", 'C = Column("Rules of its own")'),
    ],
)
def test_every_kind_of_text_is_checked(tmp_path: Path, path: str, code: str) -> None:
    """The rule checks settings, metrics, options, output and help of commands, and labels of the console."""
    assert len(found(tmp_path, Source.read(path, code))) == 1


def test_texts_for_developers_are_not_checked(tmp_path: Path) -> None:
    """Docstrings, tests and other strings of the product are not checked."""
    code = 'def f():\n    """Has a lock of its own."""\n    return "a lock of its own"'

    assert found(tmp_path, Source.read(PRODUCT, code), Source.read("services/x/tests/test_y.py", code)) == []
    assert list(texts_of(Source.read(CLI, code))) == [(3, "a lock of its own")]


def test_templates_catalogues_and_proto_comments_are_checked(tmp_path: Path) -> None:
    """Each finding has the file and the line, and names in backticks are ignored."""
    page = tmp_path / "services/x/portico_x/templates/page.html"
    catalogue = tmp_path / "services/x/portico_x/locale/de.po"
    proto = tmp_path / "libs/contracts/proto/portico/v1/x.proto"
    for file, text in (
        (page, "<p>\n{% trans name=x %}Good once.{% endtrans %}</p>"),
        (catalogue, '\nmsgid "Good once."\nmsgstr "Nur einmal."\n'),
        (proto, "// A name of its own.\n// `of its own` is a name.\nmessage X {}\n"),
    ):
        file.parent.mkdir(parents=True)
        file.write_text(text)

    assert [(finding.path, finding.line) for finding in PlainTexts().check(tmp_path, [])] == [
        ("services/x/portico_x/templates/page.html", 2),
        ("services/x/portico_x/locale/de.po", 2),
        ("libs/contracts/proto/portico/v1/x.proto", 1),
    ]


def test_documents_are_checked_outside_of_code(tmp_path: Path) -> None:
    """Guides and READMEs are checked, except for code blocks and decision records."""
    for path in ("docs/guides/x.md", "docs/decisions/0090-x.md", "CHANGELOG.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("# X\n\nA page of its own.\n\n```\nof its own\n```\n")

    assert [(finding.path, finding.line) for finding in PlainTexts().check(tmp_path, [])] == [
        ("docs/decisions/0090-x.md", 3),
        ("docs/guides/x.md", 3),
    ]


def test_only_template_texts_are_checked() -> None:
    """Markup and variables between the texts of a template are ignored."""
    template = "{% trans trimmed %}One.{% endtrans %}\n<p class='of its own'>{% trans %}Two.{% endtrans %}"

    assert list(translated_texts(template)) == [(1, "One."), (2, "Two.")]
