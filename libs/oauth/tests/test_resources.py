"""Resource indicators (RFC 8707 section 2)."""

from __future__ import annotations

from portico_oauth.parameters import read_parameters
from portico_oauth.resources import is_resource, read_resources, resource_key


def test_only_absolute_uris_without_a_fragment_are_resources() -> None:
    accepted = ["https://api.example", "https://api.example/a?b=c", "urn:example:orders", "HTTPS://API.EXAMPLE/A"]
    refused = ["", "/a", "api.example", "https://api.example/#a", "https://api.example/a b", "https://é.example"]

    assert [text for text in (*accepted, *refused) if is_resource(text)] == accepted


def test_addresses_match_as_url_parsers_write_them() -> None:
    """Scheme and host in any case, and an empty path or a slash (RFC 3986 section 6.2.3); the rest exactly."""
    assert resource_key("HTTPS://Api.Example") == resource_key("https://api.example/")
    assert resource_key("https://api.example?a") == resource_key("https://api.example/?a")
    different = ["https://api.example/a", "https://api.example/a/", "https://api.example/A", "urn:A:b", "urn:a:b"]
    assert len({*map(resource_key, different)}) == len(different)


def test_only_resource_may_have_several_values() -> None:
    """Each value is one resource: a space in a value does not make it two."""
    form = read_parameters("resource=https%3A%2F%2Fa.example&scope=a&resource=&resource=urn:b&scope=b&resource=urn:b")
    spaced = read_parameters("resource=https%3A%2F%2Fa.example+urn:b")

    assert form.repeated == {"scope"}
    assert read_resources(form["resource"]) == ("https://a.example", "urn:b")
    assert read_resources(spaced["resource"]) == ("https://a.example%20urn:b",)
    assert read_resources("https://a.example not-absolute") is None
