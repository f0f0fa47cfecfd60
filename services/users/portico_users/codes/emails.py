"""The emails that contain codes."""

from __future__ import annotations

from collections.abc import Sequence

from portico_web.languages import pick_language

from portico_users.codes.challenge import Purpose, Subject
from portico_users.notifications.email.message import EmailMessage, EmailTemplate


def message_about(
    purpose: Purpose, code: str, issuer: str, languages: Sequence[str], *, link: str = ""
) -> EmailMessage:
    """The email of a challenge.

    Args:
        languages: tags of the recipient's, preferred first.
        link: an address that contains the code; empty for none.
    """
    values = {"issuer": issuer, "organization": purpose.org_name, "code": code}
    if purpose.owner:
        template, more = EmailTemplate.ACCOUNT_EXISTS, {"login_name": purpose.owner}
        del values["code"]  # with an owner no email contains the code
    elif purpose.subject in (Subject.PASSWORD, Subject.RECOVERY):
        template, more = EmailTemplate.RESET_PASSWORD, {"login_name": purpose.login_name}
    elif purpose.subject is Subject.INVITE:
        template = EmailTemplate.INVITE
        more = {"login_name": purpose.login_name, "application": purpose.application or purpose.org_name}
    else:
        user_name = purpose.applicant.user_name if purpose.applicant else purpose.mail
        template, more = EmailTemplate.VERIFY_EMAIL, {"login_name": "" if user_name == purpose.mail else user_name}
    if link:
        more["link"] = link
    language = pick_language(languages).tag
    return EmailMessage(
        template=template, to=purpose.to, language=language, values=values | more, org_id=purpose.org_id
    )
