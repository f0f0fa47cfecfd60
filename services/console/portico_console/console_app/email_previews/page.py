"""The emails of an organization, or of the instance, as users get them, with sample values."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urlencode

from portico_contracts.languages import OWN_NAMES
from portico_oauth.errors import Kind, ServiceError
from portico_web.headers import page_headers
from starlette.responses import HTMLResponse, Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.requests import address
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.page_table import PageRow
from portico_console.request_context import RequestContext

_BASES: Final = ("/orgs/{org}", "/instance")
_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})

_SENT: Final = message("The email was sent to %(name)s.")


class Email(NamedTuple):
    template: str
    title: str


EMAILS: Final = (
    Email("INVITE", message("Invitation")),
    Email("VERIFY_EMAIL", message("Verification of an address")),
    Email("ACCOUNT_EXISTS", message("Registration with a known address")),
    Email("RESET_PASSWORD", message("New password")),
    Email("REGISTER_PASSKEY", message("Link for a passkey")),
    Email("SIGN_IN_CODE", message("Code of a second factor")),
    Email("EMAIL_CODE_SIGN_IN", message("Code instead of a password")),
    Email("ENROLMENT_CODE", message("Code before a second factor is set up")),
    Email("ACCOUNT_CHANGED", message("Notice of a change")),
    Email("ACTED_FOR", message("Notice of access by an administrator")),
)


async def show_emails(ctx: RequestContext, problem: str = "", status: int = 200) -> Response:
    frame, wanted, branding = await load_frame(ctx), _wanted(ctx), _branding(ctx)
    here = f"{branding}/emails"
    return framed(
        ctx,
        "email_previews/emails.html",
        frame,
        "branding" if ctx.path.get("org") else "instance-branding",
        status=status,
        frame_uri=f"{ctx.party.origin}{here}/frame",
        emails=EMAILS,
        wanted=wanted,
        email=await _preview(ctx, wanted),
        query=urlencode(wanted),
        target=here,
        branding=branding,
        of_org="org" in ctx.path,
        languages=OWN_NAMES,
        may_send=frame.may_call(f"{_service(ctx)}/SendEmailPreview"),
        problem=problem,
    )


async def show_email(ctx: RequestContext) -> Response:
    """The HTML of an email, in a frame. Emails have inline styles; scripts are not allowed."""
    email = await _preview(ctx, _wanted(ctx))
    headers = page_headers(framed=True, image_uri=ctx.issuer)
    policy = headers["Content-Security-Policy"].replace("style-src 'self'", "style-src 'unsafe-inline'")
    return HTMLResponse(email["html"], headers={**headers, "Content-Security-Policy": policy})


async def send_email(ctx: RequestContext) -> Response:
    await ctx.read_form()
    wanted = _wanted(ctx)
    try:
        sent = await _call(ctx, "SendEmailPreview", wanted)
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await show_emails(ctx, ctx.text_of(error), error.rendering.status)
    return await ctx.see_notice(f"{_branding(ctx)}/emails?{urlencode(wanted)}", _SENT, name=sent["email"])


async def _preview(ctx: RequestContext, wanted: dict[str, str]) -> Fields:
    return await _call(ctx, "PreviewEmail", wanted)


async def _call(ctx: RequestContext, method: str, wanted: dict[str, str]) -> Fields:
    fields = {"template": f"EMAIL_TEMPLATE_{wanted['email']}", "language": wanted["language"]}
    return await ctx.api.call(f"{_service(ctx)}/{method}", fields, org=ctx.path.get("org", ""))


def _service(ctx: RequestContext) -> str:
    return "portico.management.v1.SenderService" if ctx.path.get("org") else "portico.admin.v1.EmailService"


def _branding(ctx: RequestContext) -> str:
    return address(ctx, f"{_BASES[0] if ctx.path.get('org') else _BASES[1]}/rules/branding")


def _wanted(ctx: RequestContext) -> dict[str, str]:
    """The email and the language of the query; the first email in the language of the page without them."""
    email, language = (ctx.request.query_params.get(name, "") for name in ("email", "language"))
    return {
        "email": email if email in {one.template for one in EMAILS} else EMAILS[0].template,
        "language": language if language in OWN_NAMES else ctx.language.tag,
    }


EMAIL_PREVIEW_PAGES: Final = tuple(
    row
    for base in _BASES
    for row in (
        PageRow(f"{base}/rules/branding/emails", show_emails, send_email),
        PageRow(f"{base}/rules/branding/emails/frame", show_email),
    )
)
