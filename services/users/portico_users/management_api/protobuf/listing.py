from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from google.protobuf.message import Message
from portico_contracts.generated.portico.v1.filter_pb2 import PaginationRequest
from portico_contracts.generated.portico.v1.object_pb2 import ListDetails, ListQuery, TextQueryMethod, WordsQuery

from portico_users.accounts.search import Comparison, TextCondition
from portico_users.accounts.word_index import WordIndex
from portico_users.management_api.transport.wire.json_types import JsonMessage, integer_text, json_type
from portico_users.storage.entry import Document
from portico_users.storage.listing import Page
from portico_users.values.word_keys import each_is_found
from portico_users.values.words import typed_words

DEFAULT_LIMIT: Final = 100

Item = TypeVar("Item")
AsQuestion = Callable[..., Document]


def page_of(query: ListQuery | PaginationRequest, sort_by: str) -> Page:
    return Page(query.offset, query.limit or DEFAULT_LIMIT, sort_by, query.asc)


def details_of_list(total: int) -> ListDetails:
    return ListDetails(total_result=total)


def list_json(kind: type[JsonMessage], total: int, result: list[JsonMessage], **others: object) -> JsonMessage:
    """The response with a page of structs."""
    details = json_type(ListDetails)(total_result=integer_text(total))
    return kind(details=details, result=result, **others)


def text_condition(member: str, text: str, method: int) -> TextCondition:
    name = TextQueryMethod.Name(TextQueryMethod.ValueType(method)).removeprefix("TEXT_QUERY_METHOD_")
    return TextCondition(member, text, Comparison[name])


def by_text(member: str, field: str) -> AsQuestion:
    return lambda query: text_condition(member, getattr(query, field), query.method).as_question()


def by_words(query: WordsQuery) -> Document:
    return each_is_found(typed_words(query.text))


async def require_words(queries: Iterable[Message], word_index: WordIndex) -> None:
    """Raises USER-015 if one of the queries needs the search index and the index is incomplete."""
    if any(query.WhichOneof("query") == "words_query" for query in queries):
        await word_index.require()


def questions_of(queries: Iterable[Message], known: dict[str, AsQuestion], *, oneof: str = "query") -> list[Document]:
    """Conditions of a oneof, of which the .proto file demands exactly one; ``known`` converts them by field name."""
    kinds = ((query, query.WhichOneof(oneof) or "") for query in queries)
    return [known[kind](getattr(query, kind)) for query, kind in kinds]


def page_out_of(items: Sequence[Item], query: ListQuery) -> list[Item]:
    """Returns a page of items in memory, which must be sorted in ascending order."""
    ordered = items if query.asc else items[::-1]
    return list(ordered[query.offset :][: query.limit or DEFAULT_LIMIT])


def meets(condition: TextCondition, text: str) -> bool:
    before, after, options = condition.comparison.value
    pattern = f"{before}{re.escape(condition.text)}{after.replace('$', chr(92) + 'Z')}"
    return re.search(pattern, text, re.IGNORECASE if options else 0) is not None
