"""Resource indicators (RFC 8707 section 2)."""

from __future__ import annotations

from portico_oauth.parameters import read_parameters
from portico_oauth.resources import authority_of, is_resource, may_register_resource, read_resources, resource_key


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


def test_default_ports_are_left_out() -> None:
    """Of http and https only, in every spelling; other ports stay (RFC 3986 section 6.2.3, decision 0111)."""
    same = ("https://api.example:443", "https://API.example:0443/", "https://api.example:/")
    others = ("https://api.example:80", "https://api.example:4433", "http://api.example:443", "api://api.example:443")

    assert {*map(resource_key, same)} == {"https://api.example/"}
    assert [resource_key(one) for one in others] == [f"{one}/" if one.startswith("http") else one for one in others]
    assert resource_key("http://api.example:80/v1?a=:80") == "http://api.example/v1?a=:80"


def test_authority_is_the_host_and_port() -> None:
    found = {
        "https://Api.Example.:443/v1": ("api.example", None),
        "http://[::1]:8080?x": ("[::1]", 8080),
        "api://0d1f/x": ("0d1f", None),
        "https://user@api.example": None,
        "https://api.example:port": None,
        "urn:a:b": None,
    }
    assert {uri: authority_of(uri) for uri in found} == found


def test_resources_that_can_be_registered() -> None:
    """User information, schemes of scripts, and names of Portico and ZITADEL in any case cannot (decision 0111)."""
    accepted = (
        "https://api.example/v1",
        "http://localhost:3000/mcp",
        "urn:example:a",
        "api://0d1f",
        "com.example:/a",
        "x:1",
    )
    refused = (
        "https://a@api.example", "api://a@b", "https:api.example", "https:///", "javascript:1", "JAVASCRIPT:1", "data:,1",
        "vbscript:1", "file:///a", "blob:https://a.example/1", "about:blank", "URN:portico:a", "urn:Zitadel:iam:a",
    )  # fmt: skip

    assert [one for one in accepted if not may_register_resource(one)] == []
    assert [one for one in refused if may_register_resource(one)] == []
