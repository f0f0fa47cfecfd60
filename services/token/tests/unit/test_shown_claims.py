"""What diagnostics show of refused tokens of workloads (IN-09)."""

from __future__ import annotations

from portico_contracts.users import AuthMethod, Client, ClientKind, TrustedWorkload, WorkloadCondition
from portico_token.workloads.shown_claims import MOST_CLAIMS, shown_claims, shown_text

CLIENT = Client(
    client_id="robot", kind=ClientKind.OIDC, name="robot", app_id="", project_id="", org_id="org-1",
    auth_method=AuthMethod.CLIENT_SECRET_BASIC, audience=(),
    trusted_workloads=(
        TrustedWorkload(
            name="ci", issuer="https://ci.test", conditions=(WorkloadCondition(claim="environment_name", value="live"),)
        ),
    ),
)  # fmt: skip


def test_people_are_named_by_no_value() -> None:
    """Of claims outside the list, and of those that no condition names, only the name is shown."""
    claims = {
        "iss": "https://ci.test",
        "sub": "repo:acme/shop:ref:refs/heads/main",
        "aud": ["https://id.test"],
        "exp": 1,
        "environment_name": "dev",
        "actor": "ada",
        "user_email": "ada@example.test",
        "user": {"name": "Ada"},
    }

    assert shown_claims(claims, CLIENT) == (
        "aud=https://id.test",
        "environment_name=dev",
        "exp=1",
        "iss=https://ci.test",
        "sub=repo:acme/shop:ref:refs/heads/main",
        "actor",
        "user",
        "user_email",
    )


def test_values_and_names_are_short_and_printable() -> None:
    """Long values lose their middle, control characters are replaced, and there are at most 24 claims."""
    many = {f"claim-{number:02}-{'x' * 100}": "y" for number in range(100)}

    shown = shown_claims({"sub": "a" * 10_000 + "\x1b[31m", "iss": "line\nbreak", **many}, CLIENT)

    assert len(shown) == MOST_CLAIMS
    assert all(len(one) <= 101 and one.isprintable() for one in shown)
    assert shown_text("a" * 50 + "b" * 50, 11) == "aaaaa\u2026bbbbb"
