"""What providers answer, as their documentation and metadata state it, with the values of an invented user."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class OidcAnswers:
    """An OpenID provider.

    Attributes:
        stated: the issuer, or what an administrator may enter for it; empty for that of the preset.
        missing: members that its ID tokens never have.
        verified: whether it states the address as verified.
    """

    issuer: str
    stated: str
    metadata: dict[str, Any]
    id_token: dict[str, Any]
    userinfo: dict[str, Any]
    missing: tuple[str, ...] = ()
    verified: bool = True


_ADA: Final = {"given_name": "Ada", "family_name": "Lovelace", "name": "Ada Lovelace"}

OIDC: Final = {
    "okta": OidcAnswers(
        issuer="https://dev-11.okta.com",
        stated="dev-11.okta.com",
        metadata={"token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"]},
        # Short, because an access token comes with it.
        id_token={"sub": "00uid4BxXw6I6TV4m0g3", "preferred_username": "ada@corp.example", "ver": 1},
        userinfo={**_ADA, "sub": "00uid4BxXw6I6TV4m0g3", "email": "ada@corp.example", "email_verified": True,
                  "preferred_username": "ada@corp.example", "zoneinfo": "Europe/London", "locale": "en_US"},
    ),
    "auth0": OidcAnswers(
        issuer="https://acme.eu.auth0.com/",
        stated="acme.eu.auth0.com",
        metadata={"token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"]},
        id_token={**_ADA, "sub": "auth0|6543", "nickname": "ada", "email": "ada@corp.example", "email_verified": False},
        userinfo={},
        verified=False,
    ),
    "keycloak": OidcAnswers(
        issuer="https://keycloak.corp.example/realms/staff",
        stated="https://keycloak.corp.example/realms/staff/",
        metadata={"token_endpoint_auth_methods_supported": ["private_key_jwt", "client_secret_basic", "client_secret_post"]},
        id_token={**_ADA, "sub": "f7a1", "preferred_username": "ada", "email": "ada@corp.example", "email_verified": True,
                  "azp": "portico at house", "typ": "ID", "acr": "1"},
        userinfo={},
    ),
    "slack": OidcAnswers(
        issuer="https://slack.com",
        stated="",
        metadata={"token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"]},
        id_token={**_ADA, "sub": "U0R7JM", "https://slack.com/user_id": "U0R7JM", "https://slack.com/team_id": "T0R7GR",
                  "email": "ada@corp.example", "email_verified": True, "date_email_verified": 1622128723, "locale": "en-US"},
        userinfo={},
    ),
    "linkedin": OidcAnswers(
        issuer="https://www.linkedin.com/oauth",
        stated="",
        metadata={"token_endpoint_auth_methods_supported": ["client_secret_post"]},
        id_token={**_ADA, "sub": "782bbtaQ", "email": "ada@corp.example", "email_verified": "true"},
        userinfo={},
        missing=("nonce", "at_hash"),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Oauth2Answers:
    """An OAuth 2 provider; ``claims`` are the values that an account gets."""

    user: dict[str, Any]
    subject: str
    profile: dict[str, Any]
    basic: bool = False
    token: dict[str, Any] = field(default_factory=dict)


OAUTH2: Final = {
    "discord": Oauth2Answers(
        user={"id": "80351110224678912", "username": "ada", "discriminator": "0", "global_name": "Ada Lovelace",
              "avatar": "8342729096ea3675442027381ff50dfe", "verified": True, "email": "ada@mail.example",
              "locale": "en-GB", "mfa_enabled": True, "flags": 64, "premium_type": 1},
        subject="80351110224678912",
        profile={"user_name": "ada", "display_name": "Ada Lovelace", "email": "ada@mail.example",
                 "email_verified": True, "language": "en-GB", "picture": ""},
        basic=True,
    ),
    "facebook": Oauth2Answers(
        user={"id": "10158000000000001", "name": "Ada Lovelace", "first_name": "Ada", "last_name": "Lovelace",
              "email": "ada@mail.example",
              "picture": {"data": {"height": 50, "is_silhouette": False, "width": 50,
                                   "url": "https://platform-lookaside.fbsbx.com/platform/profilepic/?asid=1&hash=x"}}},
        subject="10158000000000001",
        profile={"display_name": "Ada Lovelace", "first_name": "Ada", "last_name": "Lovelace", "email": "ada@mail.example",
                 "email_verified": False,
                 "picture": "https://platform-lookaside.fbsbx.com/platform/profilepic/?asid=1&hash=x"},
    ),
    "x": Oauth2Answers(
        user={"data": {"id": "2244994945", "name": "Ada Lovelace", "username": "ada",
                       "confirmed_email": "ada@mail.example",
                       "profile_image_url": "https://pbs.twimg.com/profile_images/1/ada_normal.jpg"}},
        subject="2244994945",
        profile={"user_name": "ada", "display_name": "Ada Lovelace", "email": "ada@mail.example", "email_verified": True,
                 "picture": "https://pbs.twimg.com/profile_images/1/ada_normal.jpg"},
        basic=True,
    ),
}  # fmt: skip
