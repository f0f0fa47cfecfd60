from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image
from portico_contracts.users import GET_LOGIN_POLICY, Branding, GetLoginPolicy
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.policies.logos import MongoLogos

pytestmark = pytest.mark.servers

ORG = "portico.management.v1.PolicyService"
IAM = "portico.admin.v1.PolicyService"
PATHS = {ORG: "/management/v1/policies/label/logo", IAM: "/admin/v1/policies/label/logo"}
LIGHT, DARK = "LOGO_THEME_LIGHT", "LOGO_THEME_DARK"


def picture(color: str, kind: str = "PNG") -> str:
    file = io.BytesIO()
    Image.new("RGB", (12, 6), color).save(file, kind)
    return base64.b64encode(file.getvalue()).decode()


async def put(managed: Any, logo: str, theme: str = LIGHT, *, of: str = ORG, by: str = "owner") -> ApiResponse:
    return await call_as(managed, f"{of}.SetLabelPolicyLogo", {"logo": logo}, by=by, path=f"{PATHS[of]}/{theme}")


async def remove(managed: Any, theme: str = LIGHT, *, of: str = ORG, by: str = "owner") -> ApiResponse:
    return await call_as(managed, f"{of}.RemoveLabelPolicyLogo", {}, by=by, path=f"{PATHS[of]}/{theme}")


async def policy(managed: Any) -> dict[str, Any]:
    found: dict[str, Any] = (await call_as(managed, f"{ORG}.GetLabelPolicy")).body["policy"]
    return found


async def branding(managed: Any) -> Branding:
    found: Branding = (await managed.users.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=managed.org_id))).branding
    return found


async def test_emails_contain_a_small_copy_of_the_logo(managed: Any) -> None:
    """A PNG image of at most twice the height that is shown, because each email contains it."""
    file = io.BytesIO()
    Image.new("RGB", (1_000, 500), "red").save(file, "WEBP")
    await put(managed, base64.b64encode(file.getvalue()).decode())
    content = await managed.users.service.find(MongoLogos).find_for_emails((await policy(managed))["logoUrl"])
    small = Image.open(io.BytesIO(content))

    assert (small.format, small.size) == ("PNG", (176, 88))
    assert len(content) < 4_096


async def test_uploaded_logo_is_served_to_everyone(managed: Any) -> None:
    """Logos are public, cacheable forever under a content-based name, and served only as images (MG-20)."""
    added = await put(managed, picture("red"))
    address = (await policy(managed))["logoUrl"]
    shown = await managed.api.http.get(address)
    head = await managed.api.http.request("HEAD", address)

    assert added.code == 0, added.body
    assert address.startswith("/ui/branding/logos/")
    assert address.endswith(".png")
    assert (shown.status_code, head.status_code) == (200, 200)
    assert shown.headers["content-type"] == "image/png"
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert shown.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert shown.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert Image.open(io.BytesIO(shown.content)).size == (12, 6)


async def test_logos_by_theme(managed: Any) -> None:
    """A single logo is shown in both themes; two are shown in their own, with the organization's name."""
    await put(managed, picture("blue", "WEBP"), DARK)
    dark_alone = await branding(managed)
    await put(managed, picture("red"))
    both, read = await branding(managed), await policy(managed)

    assert dark_alone.logo.endswith(".webp")
    assert dark_alone.logo_dark == ""
    assert (both.logo, both.logo_dark) == (read["logoUrl"], read["logoUrlDark"])
    assert both.logo_dark == dark_alone.logo
    assert both.logo_text


async def test_replaced_and_removed_logos_are_deleted(managed: Any) -> None:
    """The URL of an old logo is not found; uploading the same logo changes nothing."""
    await put(managed, picture("#0a0b0c"))
    first = (await branding(managed)).logo
    again = await put(managed, picture("#0a0b0c"))
    await put(managed, picture("#0d0e0f"))
    second = (await branding(managed)).logo
    removed, twice = await remove(managed), await remove(managed)
    left = [(await managed.api.http.get(address)).status_code for address in (first, second)]

    assert first != second
    assert (again.code, removed.code) == (9, 0)
    assert (twice.code, twice.error_code) == (5, "USER-904")
    assert left == [404, 404]
    assert (await branding(managed)).logo == ""
    assert await managed.users.rows("logos", _id=f"light/{managed.org_id}") == []


async def test_logo_of_the_instance_is_inherited(managed: Any) -> None:
    """Organizations without a logo inherit the instance's, whatever their label policy, without a name."""
    await put(managed, picture("red"), of=IAM, by="iam")
    await call_as(managed, f"{ORG}.AddCustomLabelPolicy", {"primaryColor": "#112233"})
    inherited = await branding(managed)
    await put(managed, picture("green"))
    own = await branding(managed)
    await call_as(managed, f"{ORG}.UpdateCustomLabelPolicy", {"primaryColor": "#223344"})

    assert (inherited.logo_text, inherited.light.primary) == ("", "#112233")
    assert inherited.logo not in ("", own.logo)
    assert (await branding(managed)).logo == own.logo


@pytest.mark.parametrize(
    ("logo", "error_code"),
    [
        ("", ""),
        (base64.b64encode(b"x" * 65_537).decode(), ""),
        (base64.b64encode(b"x" * 65_536).decode(), "USER-903"),
        (base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode(), "USER-903"),
    ],
)
async def test_invalid_uploads_are_refused(managed: Any, logo: str, error_code: str) -> None:
    """Empty files, files over 64 KiB and unsupported images give code 3 with the field."""
    refused = await put(managed, logo)

    assert (refused.code, refused.fields) == (3, ["logo"])
    assert error_code in (refused.error_code, "")
    assert (await branding(managed)).logo == ""


@pytest.mark.parametrize("name", ["", "x.png", "0" * 32 + ".png", "../../admin/v1/users", "a" * 4_000])
async def test_unknown_logos_are_not_found(managed: Any, name: str) -> None:
    """An unknown name gives 404, and other methods give 405."""
    answer = await managed.api.http.get(f"/ui/branding/logos/{name}".replace("..", "%2e%2e"))
    posted = await managed.api.http.post("/ui/branding/logos/x.png")

    assert answer.status_code == 404
    assert posted.status_code == 405


async def test_policy_with_logos_can_be_sent_back(managed: Any) -> None:
    """Logo URLs in an update are ignored; only the logo operations change logos."""
    await put(managed, picture("red"))
    await call_as(managed, f"{ORG}.AddCustomLabelPolicy", {"primaryColor": "#112233"})
    read = await policy(managed)
    changed = await call_as(
        managed, f"{ORG}.UpdateCustomLabelPolicy", read | {"primaryColor": "#223344", "logoUrl": "x"}
    )

    assert changed.code == 0, changed.body
    assert (await policy(managed))["logoUrl"] == read["logoUrl"]
