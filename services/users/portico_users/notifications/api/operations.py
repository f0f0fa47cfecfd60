from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.instance.targets import the_instance
from portico_users.management_api.protobuf.changing import changing
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import own_or_named_org
from portico_users.notifications.api import email_delivery, email_previews, senders
from portico_users.notifications.api.senders import OWN_EMAIL, OWN_SMS, Find, of_instance, required
from portico_users.notifications.commands.senders import RemoveSender

_Operations = tuple[Operation, ...]
_ORG: Final = "portico.management.v1.SenderService"
_IAM: Final = "portico.admin.v1.SenderService"


def _sms(service: str, read: Permission, write: Permission, find: Find) -> _Operations:
    return (
        Operation(f"{service}.GetSmsSender", read, find, senders.get_sms_sender),
        Operation(f"{service}.SetSmsSender", write, find, senders.set_sms_sender),
        Operation(f"{service}.RotateSmsSenderSecret", write, find, senders.rotate_sender_secret),
        changing(f"{service}.RemoveSmsSender", write, find, RemoveSender, of=required),
        Operation(f"{service}.TestSmsSender", write, find, senders.send_test_message),
    )


SENDERS: Final[_Operations] = (
    *_sms(_ORG, Permission.ORG_READ, Permission.ORG_SENDER_WRITE, OWN_SMS),
    Operation(f"{_ORG}.GetEmailSender", Permission.ORG_READ, OWN_EMAIL, senders.get_email_sender),
    Operation(f"{_ORG}.SetEmailSender", Permission.ORG_SENDER_WRITE, OWN_EMAIL, senders.set_email_sender),
    Operation(f"{_ORG}.RotateEmailSenderSecret", Permission.ORG_SENDER_WRITE, OWN_EMAIL, senders.rotate_sender_secret),
    changing(f"{_ORG}.RemoveEmailSender", Permission.ORG_SENDER_WRITE, OWN_EMAIL, RemoveSender, of=required),
    Operation(f"{_ORG}.TestEmailSender", Permission.ORG_SENDER_WRITE, OWN_EMAIL, senders.send_test_email),
    Operation(f"{_ORG}.PreviewEmail", Permission.ORG_READ, own_or_named_org, email_previews.preview_email),
    Operation(
        f"{_ORG}.SendEmailPreview", Permission.ORG_SENDER_WRITE, own_or_named_org, email_previews.send_email_preview
    ),
    *_sms(_IAM, Permission.IAM_READ, Permission.IAM_WRITE, of_instance),
)

_EMAIL: Final = "portico.admin.v1.EmailService"

EMAIL_DELIVERY: Final = (
    Operation(f"{_EMAIL}.GetEmailDelivery", Permission.IAM_READ, the_instance, email_delivery.get_email_delivery),
    Operation(f"{_EMAIL}.SendTestEmail", Permission.IAM_WRITE, the_instance, email_delivery.send_test_email),
    Operation(f"{_EMAIL}.PreviewEmail", Permission.IAM_READ, the_instance, email_previews.preview_instance_email),
    Operation(
        f"{_EMAIL}.SendEmailPreview", Permission.IAM_WRITE, the_instance, email_previews.send_instance_email_preview
    ),
)
