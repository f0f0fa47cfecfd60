from __future__ import annotations

from portico_authz.discovery import document
from portico_authz.users_client import Offered

MEMBER = "identity_chaining_requested_token_types_supported"


def test_assertions_are_advertised_while_there_is_an_outside_server() -> None:
    """Without one the metadata is as before, and with one it names no server (decision 0153, AZ-19)."""
    before, after = (document("https://id.example", Offered(outside_servers=there)) for there in (False, True))

    assert before == document("https://id.example")
    assert MEMBER not in before
    assert {**before, MEMBER: ["urn:ietf:params:oauth:token-type:id-jag"]} == after
