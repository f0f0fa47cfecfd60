"""Documents are wrapped at 120 characters."""

from __future__ import annotations

from pathlib import Path

from house_rules.line_width import LineWidth, wrapped


def test_long_line_in_a_paragraph_is_found(tmp_path: Path) -> None:
    """Paragraphs and list items must be wrapped, also in the changelog; tables, code and unbreakable links may
    be long.
    """
    long = "word " * 30
    (tmp_path / "README.md").write_text(f"# Title\n\n| {long}|\n\n```\n{long}\n```\n\n    {long}\n\n[x]({'y' * 130})\n")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n- {long}\n")

    assert [(one.path, one.line) for one in LineWidth().check(tmp_path, [])] == [("CHANGELOG.md", 3)]


def test_wrapping_keeps_the_meaning() -> None:
    """Items keep their indentation, code in backticks is not broken, and no line begins with a list marker."""
    item = f"- {'w' * 100} `make up PORT=9443` - and 1. `x`\n  second line\n\n      code {'x' * 120}"

    assert wrapped(item).split("\n") == [
        f"- {'w' * 100}",
        "  `make up PORT=9443` - and 1. `x` second line",
        "",
        f"      code {'x' * 120}",
    ]
