from __future__ import annotations

from pathlib import Path

import pytest
from house_rules.references import References
from house_rules.source import Source


def references_found(root: Path, text: str) -> list[str]:
    (root / "docs" / "security").mkdir(parents=True, exist_ok=True)
    (root / "docs" / "security" / "rules.md").write_text('| <a id="az-01"></a>AZ-01 | x |\n| <a id="p3"></a>P3 | x |\n')
    (root / "docs" / "decisions").mkdir(exist_ok=True)
    (root / "docs" / "decisions" / "0007-a.md").write_text("# 0007 A\n")
    return [
        finding.text.partition(" ")[0]
        for finding in References().check(root, [Source.read("services/keys/tests/unit/test_thing.py", text)])
    ]


@pytest.mark.parametrize(
    "cited", ["AZ-" + "99", "(P" + "11)", "decision " + "5.12", "Decisions 0007 and " + "0999", "(0" + "199)", "design" + ".md §5"]
)  # fmt: skip
def test_reference_that_leads_nowhere_is_found(tmp_path: Path, cited: str) -> None:
    """Rules of security and decisions have a page in this repository; the pages of plans are not in it."""
    assert len(references_found(tmp_path, f'"""{cited}"""\n')) == 1


def test_reference_to_a_page_passes(tmp_path: Path) -> None:
    text = '"""AZ-01 (P3): decision 0007 (0007), UTF-8, RFC-01, file mode (0600), SECURITY.md, the decision\n    0007."""\n'
    assert references_found(tmp_path, text) == []


def test_references_of_other_files_are_checked(tmp_path: Path) -> None:
    (tmp_path / "mutants").mkdir()
    (tmp_path / "mutants" / "a.toml").write_text('rule = "A rule (AZ-' + '98)."\n')
    assert references_found(tmp_path, "") == ["AZ-" + "98"]
