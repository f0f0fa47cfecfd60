from __future__ import annotations

from typing import Any, Final

from portico_users.values.word_keys import INSIDE, MAX_INSIDE, MAX_WORDS, WORDS, each_is_found, has_in_order, word_keys
from portico_users.values.words import MAX_TYPED, folded, typed_words

BEYOND: Final = 13
"""A typed word of so many letters is longer than an entry of the index."""


def finds(typed: str, *texts: str, phones: tuple[str, ...] = ()) -> bool:
    """As the database compares the filter with the stored entries."""
    return meets(word_keys(texts, phones=phones)[WORDS], each_is_found(typed_words(typed)))


def meets(stored: Any, condition: dict[str, Any]) -> bool:
    if "$and" in condition:
        return all(meets(stored, one) for one in condition["$and"])
    if "$nor" in condition:
        return not any(meets(stored, one) for one in condition["$nor"])
    compared = condition[WORDS]
    if isinstance(compared, dict) and "$not" in compared:
        return not meets(stored, {WORDS: compared["$not"]})
    patterns = compared["$in"] if isinstance(compared, dict) else [compared]
    return any(pattern.try_compile().search(entry) for pattern in patterns for entry in stored)


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
    ("ztürk", "Ömer Öztürk"),
    ("opp", "Grace Hopper"),
    ("hopper@", "grace.hopper@home.example"),
    ("opper@home.example", "grace.hopper@home.example"),
    ("race.hopper@home.example", "grace.hopper@home.example"),
    ("frize5", "joffrize5@home.example"),
    ("rize", "joffrize5"),
    ("donaudampfschiff", "Oberdonaudampfschifffahrt"),
)
"""What is typed, and the text of a record."""


def test_word_is_found_without_case_and_accents() -> None:
    """A typed word finds each record with a word that starts with it, in any order, without case and accents."""
    assert [(typed, stored) for typed, stored in FOUND if not finds(typed, stored)] == []


def test_other_text_finds_nothing() -> None:
    """All typed words must match; two letters only begin words, as do those of a domain; no word finds nothing."""
    queries = ("ce", "pe", "grace lovelace", "gracehopper", "ann@example.test", "xample", "...", "", "  ", "@")

    assert [typed for typed in queries if finds(typed, "Grace Hopper", "grace@example.test")] == []


def test_long_typed_word_is_compared_in_full() -> None:
    """Entries inside of words are cut, so that a longer typed word must also match after the cut."""
    word = "x" + "abcdefghijklmnopqrst"

    assert finds(word[1 : BEYOND + 1], word)
    assert not finds(f"{word[1:BEYOND]}z", word)


def test_name_is_found_by_its_words_in_their_order() -> None:
    """From any of them on, also where marks separate them; other words are compared."""
    stored = word_keys(("Gräce Brewster Hopper", "g.hopper", "ada@example.test"))[WORDS]
    in_order = ("grace brewster", "Brewster hopp", "hopper GRACE", "g hopper", "Grace Brewster-Hopper")
    others = ("hopper brew", "race brewster", "ada example", "brewster ho x")
    typed = [one for one in (*in_order, *others) if meets(stored, has_in_order(typed_words(one)))]

    assert typed == list(in_order)


def test_words_in_order_cost_no_entry() -> None:
    """A word with the next ones behind it replaces the word; the words of a description stay as they are."""
    short, long = ("the one and only name", "a text of more words than a name")

    assert len(_begun(short)) == len(short.split())
    assert sorted(_begun(long)) == sorted({*long.split()})


def _begun(text: str) -> list[str]:
    stored: Any = word_keys([text])[WORDS]
    return [one for one in stored if not one.startswith(INSIDE)]


def test_phone_number_is_found_as_people_type_it() -> None:
    """Spaces, brackets and the prefix of the country do not matter."""
    queries = ("+41 79 123 45 67", "079 123 45 67", "(079) 123-45", "791234567", "0041791234567", "45 67")

    assert [typed for typed in queries if not finds(typed, "Grace", phones=("+41791234567",))] == []


def test_words_are_bounded() -> None:
    """Neither a long name nor a long query has more than a fixed number of words."""
    stored: Any = word_keys([" ".join(f"w{number}x{number}" for number in range(500))])[WORDS]

    assert sum(not one.startswith(INSIDE) for one in stored) == MAX_WORDS
    assert len(stored) == MAX_WORDS + MAX_INSIDE
    assert len(typed_words(" ".join(f"w{number}x" for number in range(500)))) == MAX_TYPED


def test_entry_that_begins_another_is_not_stored() -> None:
    """Whatever finds the longer one finds the shorter one; an absent phone number is no word."""
    assert word_keys(("Ann", "Anna"), phones=("",))[WORDS] == ["anna", f"{INSIDE}nna"]


def test_shorter_beginning_of_a_typed_word_is_dropped() -> None:
    """``gra grace`` is the same query as ``grace``."""
    assert typed_words("gra grace GRACE") == ("grace",)


def test_folding_keeps_letters() -> None:
    """Folding removes case and accents only."""
    assert folded("Åse Æsop Đặng") == "ase aesop dang"
