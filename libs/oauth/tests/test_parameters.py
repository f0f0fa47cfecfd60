"""Reading parameters: each once, empty is absent, nothing unreadable gets through."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.parameters import Parameters, read_parameters


def test_an_empty_parameter_counts_as_absent() -> None:
    """RFC 6749 §3.1: a parameter without a value is as if it was not sent."""
    parameters = read_parameters("state=&scope=openid&nonce")

    assert dict(parameters) == {"scope": "openid"}
    assert parameters.get("state") is None


@pytest.mark.parametrize(
    ("query", "body"),
    [
        ("a=1&a=1", ""),
        ("a=1&a=2", ""),
        ("", "a=1&a=2"),
        ("a=1", "a=1"),
        ("a=&a=1", ""),
        ("a=1", "a=2"),
        ("%61=1&a=1", ""),
    ],
)
def test_a_repeat_is_noticed_wherever_it_is(query: str, body: str) -> None:
    """Equal or different, empty or not, split between query and body or encoded: a repeat (AZ-04)."""
    parameters = read_parameters(query, body.encode())

    assert parameters.repeated == {"a"}
    with pytest.raises(ServiceError) as refused:
        parameters.refuse_repeats()
    assert refused.value.kind is Kind.INVALID_REQUEST


def test_an_unrepeated_request_is_not_refused() -> None:
    """Different names, names in brackets and names that differ in case are no repeats."""
    read_parameters("a=1&A=2&a[]=3&a.b=4").refuse_repeats()


def test_plus_and_percent_20_are_the_same_space() -> None:
    """One form-decoding, exactly one: what looks encoded after it stays as it is (AZ-01)."""
    assert dict(read_parameters("a=x+y&b=x%20y&c=%252B")) == {"a": "x y", "b": "x y", "c": "%2B"}


@pytest.mark.parametrize("text", ["a=%ff", "a=%c0%af", "a=%ed%a0%80", "a=%00", "%00=1", "a=1&b=%e2%82"])
def test_what_is_not_utf_8_or_holds_nul_is_refused(text: str) -> None:
    """Overlong forms, lone surrogates, cut sequences and NUL are errors, not absent (P10)."""
    with pytest.raises(ServiceError) as refused:
        read_parameters(text)

    assert refused.value.id == "OAUTH-002"


def test_raw_bytes_outside_ascii_are_refused() -> None:
    """A form body is percent-encoded; anything else cannot be read one way only."""
    with pytest.raises(ServiceError) as refused:
        read_parameters("a=é".encode())

    assert refused.value.id == "OAUTH-002"


def test_the_number_of_fields_is_bounded_before_they_are_read() -> None:
    """A hundred fields are read, one more is refused (RX-01)."""
    assert len(read_parameters("&".join(f"a{number}=1" for number in range(100)))) == 100
    with pytest.raises(ServiceError) as refused:
        read_parameters("&" * 1_000_000)

    assert refused.value.kind is Kind.CONTENT_TOO_LARGE


@given(st.lists(st.tuples(st.text(min_size=1), st.text())))
def test_reading_pairs_never_fails_and_the_first_value_wins(pairs: list[tuple[str, str]]) -> None:
    """Who must still find the client of a bad request gets the first value of each name."""
    parameters = Parameters(pairs)

    for name in {name for name, _ in pairs}:
        values = [value for other, value in pairs if other == name]
        assert parameters.get(name) == next((value for value in values if value), None)
        assert (name in parameters.repeated) == (len(values) > 1)


@given(st.text(alphabet="ab=&%+;2541cé", max_size=60))
def test_fields_are_read_as_the_standard_library_reads_them(text: str) -> None:
    """One way to decode a form, the one everybody knows (RX-02)."""
    try:
        expected = parse_qsl(text, keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        with pytest.raises(ServiceError):
            read_parameters(text)
        return

    assert dict(read_parameters(text)) == dict(Parameters(expected))
    assert read_parameters(text).repeated == Parameters(expected).repeated


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    """Whatever comes is read or refused, never a crash (RX-12)."""
    kinds: list[Kind] = []
    try:
        read_parameters(data)
    except ServiceError as error:
        kinds.append(error.kind)

    assert set(kinds) <= {Kind.INVALID_REQUEST, Kind.CONTENT_TOO_LARGE}
