from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
import rules
from house_rules import FILE_RULES, REPOSITORY_RULES
from house_rules.document_paths import DocumentPaths
from house_rules.error_ids import ErrorIds
from house_rules.import_places import ImportPlaces
from house_rules.lengths import FileLength, FunctionLength
from house_rules.module_names import ModuleNames
from house_rules.named_tests import NamedTests
from house_rules.prose import is_held_document
from house_rules.rule import FileRule, Finding
from house_rules.secret_comparison import SecretComparison
from house_rules.source import Source
from house_rules.subject_literals import SubjectLiterals
from house_rules.test_sentences import TestSentences, is_sentence
from house_rules.type_ignores import TypeIgnores
from house_rules.words import OldNames, TestSentenceLength, Words, is_held

PRODUCT = "services/keys/portico_keys/thing.py"
HELD_FILE = "libs/oauth/portico_oauth/thing.py"
TEST = "services/keys/tests/unit/test_thing.py"
SUBJECT = "keys" + ".v1.active.ask"


def found(rule: FileRule, text: str, path: str = PRODUCT) -> list[int]:
    """Returns the lines that a rule reports."""
    return [finding.line for finding in rule.check(Source.read(path, text))]


@pytest.mark.parametrize("text", [f'x = "{SUBJECT}"', f'x = f"{SUBJECT}.{{y}}"', 'x = "events' + '.v1.>"'])
def test_subject_outside_contracts_is_found(text: str) -> None:
    assert found(SubjectLiterals(), text) == [1]
    assert found(SubjectLiterals(), text, TEST) == [1]


@pytest.mark.parametrize("text", ['x = "keys"', 'x = "keys.v1"', 'x = "my.keys.v1.x"', 'x = "users.v.x"'])
def test_other_text_is_not_a_subject(text: str) -> None:
    assert found(SubjectLiterals(), text) == []


def test_contracts_may_write_subjects() -> None:
    assert found(SubjectLiterals(), f'x = "{SUBJECT}"', "libs/contracts/portico_contracts/keys.py") == []


@pytest.mark.parametrize(
    "text",
    [
        "secret == other",
        "a.client_secret != b",
        "x == fields['csrf']",
        "given.token == stored",
        "challenge_of(verifier) == wanted_challenge",
        "a == b == password",
    ],
)
def test_secret_compared_by_equality_is_found(text: str) -> None:
    assert found(SecretComparison(), text) == [1]


@pytest.mark.parametrize(
    "text",
    ["same(secret, other)", "secret == ''", "secret is None", "secret in known", "error.code != _EXISTS", "status_code == other",
     "token_type == wanted", "secrets == 3", "client.auth_method == method"],
)  # fmt: skip
def test_other_comparisons_are_accepted(text: str) -> None:
    """Constants, identity, membership and names that only resemble a secret's are accepted."""
    assert found(SecretComparison(), text) == []


def test_tests_may_compare_secrets() -> None:
    assert found(SecretComparison(), "secret == other", TEST) == []


def test_long_function_is_found() -> None:
    """Fifty lines are allowed, and one more is not, nested or not."""
    fits = "def f():\n" + "    x = 1\n" * 49
    long = "class A:\n  async def f():\n" + "    x = 1\n" * 50

    assert found(FunctionLength(), fits) == []
    assert found(FunctionLength(), long) == [2]


def test_long_file_is_found() -> None:
    assert found(FileLength(), "x = 1\n" * 350) == []
    assert found(FileLength(), "x = 1\n" * 351) == [1]


@pytest.mark.parametrize(
    "path", ["libs/web/portico_web/utils.py", "services/x/helpers/y.py", "scripts/common/__init__.py"]
)
def test_meaningless_module_name_is_found(path: str) -> None:
    assert found(ModuleNames(), "", path) == [1]


@pytest.mark.parametrize("path", ["libs/web/portico_web/forms.py", "services/x/database.py", "services/x/scores.py"])
def test_meaningful_module_name_passes(path: str) -> None:
    assert found(ModuleNames(), "", path) == []


@pytest.mark.parametrize(
    "line", ["import portico_web", "from portico_web.forms import x", "from . import x", "from .x import y"]
)
def test_own_import_inside_a_function_is_found(line: str) -> None:
    assert found(ImportPlaces(), f"class A:\n  def f(self):\n    {line}\n") == [3]
    assert found(ImportPlaces(), f"{line}\n") == []


def test_foreign_import_inside_a_function_passes() -> None:
    assert found(ImportPlaces(), "def f():\n  import json\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "A rule.",
        "A rule, and its reason (TK-06).",
        "A rule\nthat goes on.",
        "RFC 6749 §4.1: a rule.",
        "Is it so?",
        "See e.g. the RFC.",
    ],
)
def test_one_sentence_is_accepted(text: str) -> None:
    assert is_sentence(text)


@pytest.mark.parametrize("text", ["", "A rule", "A rule. Another rule.", "A rule.\n\nMore.", "What? That."])
def test_other_than_one_sentence_is_refused(text: str) -> None:
    assert not is_sentence(text)


def test_only_test_docstrings_must_be_one_sentence() -> None:
    text = "def test_a():\n    'A rule. Another.'\n\ndef other():\n    'One. Two.'\n\ndef test_b():\n    pass\n"
    assert found(TestSentences(), text, TEST) == [1]


@pytest.mark.parametrize("comment", ["# type: ignore", "#type:ignore", "# type: ignore  # because"])
def test_bare_ignore_is_found(comment: str) -> None:
    assert found(TypeIgnores(), f"x = 1  {comment}") == [1]


@pytest.mark.parametrize("text", ["x = 1  # type: ignore[assignment]", "x = '# type: ignore'", "# types ignored"])
def test_ignore_with_a_code_passes(text: str) -> None:
    assert found(TypeIgnores(), text) == []


DECLARED = 'A = ErrorCode("KEYS-001", Kind.SERVER_ERROR, "x.")\n'


def errors_found(root: Path, *texts: str) -> list[str]:
    sources = [Source.read(f"services/token/portico_token/x{number}.py", text) for number, text in enumerate(texts)]
    return [f"{finding.path}:{finding.line} {finding.text}" for finding in ErrorIds().check(root, sources)]


def test_error_id_declared_twice_is_found() -> None:
    """Two files of the product may not declare one id, while tests may declare any."""
    sources = [Source.read(path, DECLARED) for path in (PRODUCT, "services/token/portico_token/x.py", TEST)]
    places = [finding.path for finding in ErrorIds().check(Path("/nonexistent"), sources)]

    assert places == ["services/token/portico_token/x.py"]


def test_declared_error_is_on_the_page_of_errors(tmp_path: Path) -> None:
    """An id missing on the generated page, and one on the page that no file declares, are found."""
    page = tmp_path / "docs" / "generated" / "errors.md"
    page.parent.mkdir(parents=True)
    page.write_text("| Id | Kind |\n| `KEYS-002` | fault |\n")

    assert errors_found(tmp_path, DECLARED) == [
        "services/token/portico_token/x0.py:1 KEYS-001 is missing in docs/generated/errors.md: run `make gen`",
        "docs/generated/errors.md:1 KEYS-002 is declared in no file: run `make gen`",
    ]


def test_id_of_another_part_has_a_name(tmp_path: Path) -> None:
    """A bare id is found outside the names in the contracts, and a name of no error."""
    sources = [
        Source.read(PRODUCT, DECLARED),
        Source.read("services/token/portico_token/x.py", 'x = ("KEYS-001", "SHA-256")\n'),
        Source.read("libs/contracts/portico_contracts/error_ids.py", 'A = "KEYS-001"\nB = "KEYS-002"\n'),
    ]
    found = [f"{one.path}:{one.line} {one.text}" for one in ErrorIds().check(tmp_path, sources)]

    assert found == [
        "services/token/portico_token/x.py:1 KEYS-001: use its name in libs/contracts/portico_contracts/error_ids.py",
        "libs/contracts/portico_contracts/error_ids.py:2 no error has the id KEYS-002",
    ]


def test_error_id_in_prose_exists(tmp_path: Path) -> None:
    """Error ids in docstrings, comments and documents must be declared."""
    prose = '"""AES-256, KEYS-001 and KEYS-004."""\nx = "KEYS-005 …"  # KEYS-006\n'
    (tmp_path / "README.md").write_text("See KEYS-001 and SHA-256.\n```\nKEYS-007\n```\nKEYS-008\n")
    (tmp_path / "CHANGELOG.md").write_text("KEYS-009 is KEYS-001 now.\n")

    assert errors_found(tmp_path, DECLARED, prose) == [
        "services/token/portico_token/x1.py:1 no error has the id KEYS-004",
        "services/token/portico_token/x1.py:2 no error has the id KEYS-006",
        "README.md:5 no error has the id KEYS-008",
    ]


def test_broken_path_is_found(tmp_path: Path) -> None:
    """Links, and paths in backticks below an existing folder, are checked."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "portico_x" / "rooms").mkdir(parents=True)
    (tmp_path / "docs" / "there.md").write_text("[back](../README.md) [gone](gone.md)")
    (tmp_path / "README.md").write_text(
        "[a](docs/there.md#part) `docs/there.md` `docs/` `make up` `a/b/c` `application/json`\n"
        "`docs/absent.md` [b](absent.md) [c](https://example.test/x)\n`rooms/` `rooms/absent.py`\n"
    )
    dead = [(finding.path, finding.line, finding.text.split()[0]) for finding in DocumentPaths().check(tmp_path, [])]

    assert sorted(dead) == [
        ("README.md", 2, "absent.md"),
        ("README.md", 2, "docs/absent.md"),
        ("README.md", 3, "rooms/absent.py"),
        ("docs/there.md", 1, "gone.md"),
    ]


def test_named_in_a_document_must_exist(tmp_path: Path) -> None:
    """Each row of a table of requirements names an existing test by path and name."""
    rows = ["| Requirement | Tests |", "|---|---|", "| kept | `a/test_a.py::test_kept` |", "| bare | none |"]
    rows += ["| gone | `a/test_a.py::test_gone` |", "| moved | `b/test_a.py::test_kept` |"]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "conformance.md").write_text("\n".join(rows))
    (tmp_path / "README.md").write_text("| no table of requirements |\n`a/test_a.py::test_kept`\n")
    sources = [Source.read("a/test_a.py", "async def test_kept() -> None: ...\n")]

    assert [finding.line for finding in NamedTests().check(tmp_path, sources)] == [4, 5, 6]


def test_a_claim_without_a_test_is_found(tmp_path: Path) -> None:
    """In the threat model every item in bold names a test, in any of its lines; other lists need none."""
    (tmp_path / "docs" / "security").mkdir(parents=True)
    text = "- **Held.** It is.\n  `a/test_a.py::test_kept`\n- **Not held.** It is\n  not.\n\n- A remark.\n"
    (tmp_path / "docs" / "security" / "threat-model.md").write_text(text)
    sources = [Source.read("a/test_a.py", "def test_kept(): ...\n")]

    assert [finding.line for finding in NamedTests().check(tmp_path, sources)] == [3]


def words_found(root: Path, path: str, text: str = "") -> list[tuple[str, int]]:
    """Returns the words that the rule reports in one Python file and in documents, with their lines."""
    sources = [Source.read(path, text)] if text else []
    return [(finding.text.partition(":")[0], finding.line) for finding in Words().check(root, sources)]


LISTED = (
    "somebody", "Anybody", "nobody", "Whoever", "gone", "a mail", "mails", "mailed", "a moment", "tells", "told", "hears",
    "heard", "says", "said", "stands", "asks for", "asked for", "is kept", "handed out", "hands over",
)  # fmt: skip


def test_listed_word_is_found(tmp_path: Path) -> None:
    for word in LISTED:
        assert len(words_found(tmp_path, HELD_FILE, f'"""A sentence.\n\nIt is {word} here."""\n')) == 1, word
        assert len(words_found(tmp_path, HELD_FILE, f"x = 1  # {word}\n")) == 1, word


@pytest.mark.parametrize(
    "text",
    ['"""Names in `mails` or ``told`` are free, as in https://example.test/gone."""\n', "says = 'somebody told'\n",
     'class A:\n    """A.\n\n    Args:\n        mail: x.\n        say, mail: y.\n    """\n',
     '"""Email, the mail server, handing, understands, Mailman."""\n', '"""x"""\ny = """nobody"""\n'],
)  # fmt: skip
def test_names_strings_and_longer_words_are_exempt(tmp_path: Path, text: str) -> None:
    assert words_found(tmp_path, HELD_FILE, text) == []


def test_documents_are_checked_outside_code_blocks(tmp_path: Path) -> None:
    """A document is checked outside its blocks of code; the changelog keeps its words."""
    texts = {"libs/oauth/README.md": "Somebody.\n```\nnobody\n```\nIt is gone.\n", "CHANGELOG.md": "Somebody.\n"}
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    assert words_found(tmp_path, HELD_FILE) == [("Somebody", 1), ("gone", 5)]
    assert is_held_document("docs/decisions/0001-x.md")


def test_finding_names_the_replacement(tmp_path: Path) -> None:
    (finding,) = Words().check(tmp_path, [Source.read(HELD_FILE, "# They are mailed.\n")])

    assert finding.text == "mailed: write emails, emailed, sends by email"


@pytest.mark.parametrize("folders", [[], ["libs/web"], ["libs/oauths"]])
def test_words_are_checked_in_listed_folders(folders: list[str]) -> None:
    """A listed folder includes everything below it, and `.` is the whole repository."""
    assert not is_held("libs/oauth/portico_oauth/jose.py", folders)
    assert is_held("libs/oauth/portico_oauth/jose.py", [*folders, "libs/oauth"])
    assert is_held("README.md", [*folders, "."])


@pytest.mark.parametrize("name", ["Desk", "Teller", "Refusal", "FrontChannel", "HandOut"])
def test_former_class_name_is_found(name: str) -> None:
    """A listed class name is reported with its replacement, and longer names that contain it pass."""
    assert found(OldNames(), f"x = 1\nclass {name}:\n    pass\n", HELD_FILE) == [2]
    assert found(OldNames(), f"class {name}Name:\n    pass\n", HELD_FILE) == []


def test_module_with_a_former_name_is_found() -> None:
    assert found(OldNames(), "", "libs/oauth/portico_oauth/front_channel.py") == [1]


def test_docstring_of_five_words_is_found() -> None:
    text = "def test_a():\n    'One two three four five.'\n\ndef test_b():\n    'One two three four five six.'\n\n"
    path = "libs/oauth/tests/test_thing.py"

    assert found(TestSentenceLength(), text, path) == [1]
    assert found(TestSentenceLength(), text.replace("test_", "make_"), path) == []


def test_line_may_state_why_it_breaks_a_rule(tmp_path: Path) -> None:
    """An ``allow`` comment needs the name of the rule and a reason, and exempts from that rule only."""
    folder = tmp_path / "services" / "x"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("secret == other  # allow secret-comparison: both are public\n")
    (folder / "b.py").write_text("secret == other  # allow module-name: wrong rule\n")

    assert [finding.path for finding in rules.findings(tmp_path)] == ["services/x/b.py"]


def test_every_rule_has_a_name_and_a_docstring() -> None:
    every: Iterable[object] = (*FILE_RULES, *REPOSITORY_RULES)
    names = [vars(type(rule))["name"] for rule in every]

    assert len(set(names)) == len(names)
    assert all(type(rule).__doc__ for rule in every)


def test_finding_is_printed_as_path_line_and_rule() -> None:
    assert str(Finding("a.py", 3, "rule", "do this")) == "a.py:3: do this [rule]"
