"""Repository rules that no general linter has; each is one file with a name, a reason and tests.

A line that must break a rule states it with a reason: ``# allow <name of the rule>: <reason>``.
"""

from __future__ import annotations

from typing import Final

from house_rules.document_paths import DocumentPaths
from house_rules.error_ids import ErrorIds
from house_rules.import_places import ImportPlaces
from house_rules.lengths import FileLength, FunctionLength
from house_rules.line_width import LineWidth
from house_rules.module_names import ModuleNames
from house_rules.named_tests import NamedTests
from house_rules.plain_texts import PlainTexts
from house_rules.references import References
from house_rules.rule import FileRule, RepositoryRule
from house_rules.secret_comparison import SecretComparison
from house_rules.steady_tests import ChosenPorts, FixedWaits, LoadingPages, ShortDeadlines, ShortMarkers
from house_rules.subject_literals import SubjectLiterals
from house_rules.test_sentences import TestSentences
from house_rules.tls_contexts import TlsContexts
from house_rules.type_ignores import TypeIgnores
from house_rules.words import OldNames, TestSentenceLength, Words

FILE_RULES: Final[tuple[FileRule, ...]] = (
    ChosenPorts(),
    FileLength(),
    FixedWaits(),
    FunctionLength(),
    ImportPlaces(),
    LoadingPages(),
    ModuleNames(),
    OldNames(),
    SecretComparison(),
    ShortDeadlines(),
    ShortMarkers(),
    SubjectLiterals(),
    TestSentenceLength(),
    TestSentences(),
    TlsContexts(),
    TypeIgnores(),
)
REPOSITORY_RULES: Final[tuple[RepositoryRule, ...]] = (
    DocumentPaths(),
    ErrorIds(),
    LineWidth(),
    NamedTests(),
    PlainTexts(),
    References(),
    Words(),
)
