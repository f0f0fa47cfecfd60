from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.parameters import Parameters, read_parameters


def test_empty_parameter_counts_as_absent() -> None:
    """A parameter without a value counts as omitted (RFC 6749 §3.1)."""
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
def test_repeated_parameter_is_detected(query: str, body: str) -> None:
    """A repeated parameter is detected with equal, different or empty values, across query and body, and
    percent-encoded (AZ-04).
    """
    parameters = read_parameters(query, body.encode())

    assert parameters.repeated == {"a"}
    with pytest.raises(ServiceError) as refused:
        parameters.refuse_repeats()
    assert refused.value.kind is Kind.INVALID_REQUEST


def test_unrepeated_parameters_pass() -> None:
    """Different names, names in brackets and names that differ in case are not repeats."""
    read_parameters("a=1&A=2&a[]=3&a.b=4").refuse_repeats()


def test_plus_and_percent_20_decode_to_space() -> None:
    """Form decoding happens exactly once, so that a doubly encoded value stays encoded (AZ-01)."""
    assert dict(read_parameters("a=x+y&b=x%20y&c=%252B")) == {"a": "x y", "b": "x y", "c": "%2B"}


@pytest.mark.parametrize("text", ["a=%ff", "a=%c0%af", "a=%ed%a0%80", "a=%00", "%00=1", "a=1&b=%e2%82"])
def test_invalid_utf_8_and_nul_are_refused(text: str) -> None:
    """Overlong encodings, lone surrogates, truncated sequences and NUL are errors (P10)."""
    with pytest.raises(ServiceError) as refused:
        read_parameters(text)

    assert refused.value.id == "OAUTH-002"


def test_raw_bytes_outside_ascii_are_refused() -> None:
    """A form body with unencoded bytes outside ASCII is refused."""
    with pytest.raises(ServiceError) as refused:
        read_parameters("a=é".encode())

    assert refused.value.id == "OAUTH-002"


def test_number_of_fields_is_limited() -> None:
    """A hundred fields are read, and one more is refused before parsing (RX-01)."""
    assert len(read_parameters("&".join(f"a{number}=1" for number in range(100)))) == 100
    with pytest.raises(ServiceError) as refused:
        read_parameters("&" * 1_000_000)

    assert refused.value.kind is Kind.CONTENT_TOO_LARGE


@given(st.lists(st.tuples(st.text(min_size=1), st.text())))
def test_lenient_reading_uses_the_first_value(pairs: list[tuple[str, str]]) -> None:
    """To find the client of a malformed request, reading never fails and the first value of each name wins."""
    parameters = Parameters(pairs)

    for name in {name for name, _ in pairs}:
        values = [value for other, value in pairs if other == name]
        assert parameters.get(name) == next((value for value in values if value), None)
        assert (name in parameters.repeated) == (len(values) > 1)


@given(st.text(alphabet="ab=&%+;2541cé", max_size=60))
def test_fields_decode_as_in_the_standard_library(text: str) -> None:
    """Decoding agrees with `urllib.parse` for every input (RX-02)."""
    try:
        expected = parse_qsl(text, keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        with pytest.raises(ServiceError):
            read_parameters(text)
        return

    assert dict(read_parameters(text)) == dict(Parameters(expected))
    assert read_parameters(text).repeated == Parameters(expected).repeated


@given(st.binary(max_size=300))
def test_random_bytes_never_crash_the_reader(data: bytes) -> None:
    """Any body is read or refused and never crashes the reader (RX-12)."""
    kinds: list[Kind] = []
    try:
        read_parameters(data)
    except ServiceError as error:
        kinds.append(error.kind)

    assert set(kinds) <= {Kind.INVALID_REQUEST, Kind.CONTENT_TOO_LARGE}
