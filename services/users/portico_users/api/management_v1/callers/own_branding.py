"""How pages of the caller's organization look."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import caller_service_pb2 as pb
from portico_contracts.users import Palette

from portico_users.api.transport.call import Call
from portico_users.directory.organizations.policies_in_force import PoliciesInForce


async def get_my_branding(
    call: Call[None], _request: pb.GetMyBrandingRequest, *, policies: PoliciesInForce
) -> pb.GetMyBrandingResponse:
    """The branding in force in the caller's organization."""
    branding = await policies.branding(call.caller.org_id)
    return pb.GetMyBrandingResponse(
        light=_colors(branding.light),
        dark=_colors(branding.dark),
        font_family=branding.font_family.value,
        logo_url=branding.logo,
        logo_url_dark=branding.logo_dark,
        logo_text=branding.logo_text,
        tos_link=branding.tos_link,
        privacy_link=branding.privacy_link,
        help_link=branding.help_link,
        support_email=branding.support_email,
        disable_watermark=branding.hide_watermark,
    )


def _colors(palette: Palette) -> pb.BrandColors:
    return pb.BrandColors(primary=palette.primary, background=palette.background, warn=palette.warn, font=palette.font)
