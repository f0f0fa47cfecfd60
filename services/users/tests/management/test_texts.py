from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import GET_LOGIN_POLICY, Branding, GetLoginPolicy, OwnTexts
from portico_fakes.management_api import call_as

pytestmark = pytest.mark.servers

POLICIES = "portico.management.v1.PolicyService"
ENGLISH = {"language": "en", "signInTitle": "Welcome to Acme", "signInText": "Use your staff number."}
GERMAN = {"language": "de", "signInTitle": "Willkommen", "emailText": "Acme GmbH, Berlin"}


async def branding(managed: Any) -> Branding:
    answer = await managed.users.bus.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=managed.org_id))
    found: Branding = answer.branding
    return found


async def test_texts_are_added_changed_and_reset(managed: Any) -> None:
    """Texts are read back as sent and included in the branding; a reset restores the instance's."""
    added = await call_as(managed, f"{POLICIES}.AddCustomTextPolicy", {"texts": [ENGLISH, GERMAN]})
    read = (await call_as(managed, f"{POLICIES}.GetTextPolicy", {})).body["policy"]
    shown = await branding(managed)
    changed = await call_as(managed, f"{POLICIES}.UpdateCustomTextPolicy", {**read, "texts": [GERMAN]})
    alone = await branding(managed)
    await call_as(managed, f"{POLICIES}.ResetTextPolicyToDefault", {})

    assert (added.code, changed.code) == (0, 0)
    assert read["texts"] == [ENGLISH, GERMAN]
    assert "isDefault" not in read
    assert [one.language for one in shown.texts] == ["en", "de"]
    assert [one.language for one in alone.texts] == ["de"]
    assert (await branding(managed)).texts == ()


@pytest.mark.parametrize(
    ("texts", "field", "error_code"),
    [
        ([{"language": "xx"}], "texts[0].language", "USER-906"),
        ([ENGLISH, {**ENGLISH}], "texts[0].language", "USER-906"),
        ([{**ENGLISH, "signInText": "two\nlines"}], "texts[0].signInText", "USER-907"),
        ([{**ENGLISH, "signInTitle": "abc\u202edef"}], "texts[0].signInTitle", "USER-907"),
        ([GERMAN | {"emailText": "a\u2028b"}], "texts[0].emailText", "USER-907"),
    ],
)
async def test_invalid_text_is_refused(managed: Any, texts: Any, field: str, error_code: str) -> None:
    """Control characters and bidirectional controls are refused with the field."""
    refused = await call_as(managed, f"{POLICIES}.AddCustomTextPolicy", {"texts": texts})

    assert (refused.code, refused.error_code) == (3, error_code)
    assert field in refused.fields
    assert (await branding(managed)).texts == ()


def test_other_languages_get_the_first_text() -> None:
    """Without any texts there is none."""
    one, other = OwnTexts(language="fr", sign_in_title="A"), OwnTexts(language="de", sign_in_title="B")
    texts = Branding(texts=(one, other))

    assert texts.texts_in("de") == other
    assert texts.texts_in("ja") == one
    assert Branding().texts_in("ja") == OwnTexts(language="ja")
