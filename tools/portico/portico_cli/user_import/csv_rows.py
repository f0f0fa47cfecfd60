"""Reads CSV as rows of an import, one at a time. Numbers are those of a spreadsheet, where the titles are row 1."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from portico_contracts.csv_files.text import CsvReader, cleaned, encoding_of, separator_of
from portico_contracts.csv_files.user_columns import BY_WORD, body_of, guessed

from portico_cli.user_import.lines import LONGEST, Line
from portico_cli.user_import.pipe import LOOKED_AT

_NOT_DECODED: Final = "\N{REPLACEMENT CHARACTER}"


class CsvError(ValueError):
    pass


class CsvRows(NamedTuple):
    """`columns` are titles with the word of their target, empty for those that are not imported."""

    columns: list[tuple[str, str]]
    lines: Iterator[Line]


def read_csv(source: io.BufferedReader, columns: Sequence[str], *, verified: bool) -> CsvRows:
    """`columns` are ``TITLE=FIELD``. Raises CsvError for titles from which no user can be made."""
    start = source.peek(LOOKED_AT)
    encoding = encoding_of(start)
    text = io.TextIOWrapper(source, encoding, errors="replace", newline="")
    reader = iter(CsvReader(text, separator_of(start.decode(encoding, errors="replace"))))
    try:
        titles = [cleaned(one) for one in next(reader, [])]
    except csv.Error as error:
        raise CsvError(f"The line of titles is not CSV: {error}.") from None
    words = _words(titles, columns)
    return CsvRows(list(zip(titles, words, strict=True)), _lines(reader, words, verified=verified))


def _words(titles: list[str], columns: Sequence[str]) -> list[str]:
    words = guessed(titles)
    for one in columns:
        title, _, word = one.rpartition("=")
        if title not in titles:
            raise CsvError(f"There is no column `{title}`. The columns are: {', '.join(titles)}.")
        if word and word not in BY_WORD:
            raise CsvError(f"There is no field `{word}`. The fields are: {', '.join(BY_WORD)}.")
        words = ["" if word and other == word else other for other in words]
        words[titles.index(title)] = word
    has_name = "name" in words or "first" in words
    missing = [*(() if "email" in words else ("the email address",)), *(() if has_name else ("the name",))]
    if missing:
        raise CsvError(
            f"No column is recognized as {' or '.join(missing)}. The columns are: {', '.join(titles)}."
            " Add --column TITLE=FIELD."
        )
    return words


def _lines(reader: Iterator[list[str]], words: list[str], *, verified: bool) -> Iterator[Line]:
    number = 1
    while True:
        number += 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            yield Line(number, "", f"This row is not CSV: {error}. The rows after it are not read.")
            return
        if row is None:
            return
        if not any(one.strip() for one in row):
            continue
        problem = _problem_of(row, words)
        values = {word: cleaned(value) for word, value in zip(words, row, strict=False) if word}
        text = json.dumps(body_of(values, verified=verified), ensure_ascii=False)
        if not problem and len(text.encode()) > LONGEST:
            problem = "This row is longer than 2 MiB."
        yield Line(number, "", problem) if problem else Line(number, text)


def _problem_of(row: list[str], words: list[str]) -> str:
    if any(one.strip() for one in row[len(words) :]):
        return "This row has more values than there are titles: put values with a separator in quotation marks."
    if any(_NOT_DECODED in value for word, value in zip(words, row, strict=False) if word):
        return "This row contains characters of another encoding: save the file as UTF-8."
    return ""
