from __future__ import annotations

from portico_users.values.words import MAX_TYPED, MAX_WORDS, folded, typed_words, words_of


def finds(typed: str, *texts: str, phones: tuple[str, ...] = ()) -> bool:
    stored = words_of(texts, phones=phones)
    words = typed_words(typed)
    return bool(words) and all(any(one.startswith(word) for one in stored) for word in words)


FOUND = (
    ("hopper", "Grace Hopper"),
    ("HOPPER gra", "Grace Hopper"),
    ("muller", "Jürgen Müller"),
    ("MÜLLER", "muller"),
    ("strasse", "Straße 7"),
    ("sorensen", "Sørensen"),
    ("lukasz", "Łukasz"),
    ("istanbul", "İstanbul"),
    ("obrien", "Conan O'Brien"),
    ("o brien", "Conan O’Brien"),
    ("o'brien", "Conan O’Brien"),
    ("jean-luc", "Jean Luc Picard"),
    ("luc", "jean-luc_picard"),
    ("ada@home.ex", "ada@home.example.test"),
    ("home.example", "ada@home.example.test"),
    ("@home", "ada@home.example.test"),
    ("lovelace", "ada.lovelace@example.test"),
    ("Grace <grace@example.test>", "Grace grace@example.test"),
    ("太郎", "山田太郎"),
    ("田太", "山田太郎"),
    ("ﾔﾏﾀﾞ", "ヤマダ"),
    ("철수", "김철수"),
    ("हिन्दी", "हिन्दी नाम"),
    ("नाम", "हिन्दी नाम"),
    ("حسن", "مُحَمَّد حَسَن"),
    ("0042", "agent 0042"),
    ("00421234", "agent 00421234"),
)
"""What is typed, and the text of a record."""


def test_word_is_found_without_case_and_accents() -> None:
    """A typed word finds each record with a word that starts with it, in any order, without case and accents."""
    assert [(typed, stored) for typed, stored in FOUND if not finds(typed, stored)] == []


def test_other_text_finds_nothing() -> None:
    """All typed words must match, each from the beginning of a word; a query without a word finds nothing."""
    queries = ("ace", "grace lovelace", "gracehopper", "ann@example.test", "...", "", "  ", "@")

    assert [typed for typed in queries if finds(typed, "Grace Hopper", "grace@example.test")] == []


def test_phone_number_is_found_as_people_type_it() -> None:
    """Spaces, brackets and the prefix of the country do not matter."""
    queries = ("+41 79 123 45 67", "079 123 45 67", "(079) 123-45", "791234567", "0041791234567")

    assert [typed for typed in queries if not finds(typed, "Grace", phones=("+41791234567",))] == []


def test_words_are_bounded() -> None:
    """Neither a long name nor a long query has more than a fixed number of words."""
    assert len(words_of([" ".join(f"w{number}" for number in range(500))])) == MAX_WORDS
    assert len(typed_words(" ".join(f"w{number}x" for number in range(500)))) == MAX_TYPED


def test_shorter_beginning_of_a_typed_word_is_dropped() -> None:
    """``gra grace`` is the same query as ``grace``."""
    assert typed_words("gra grace GRACE") == ("grace",)


def test_folding_keeps_letters() -> None:
    """Folding removes case and accents only."""
    assert folded("Åse Æsop Đặng") == "ase aesop dang"
