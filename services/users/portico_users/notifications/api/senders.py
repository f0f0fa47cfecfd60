"""Senders of text messages and emails, of organizations and of the instance."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.management.v1 import sender_messages_pb2 as pb
from portico_runtime.process.clock import Clock

from portico_users.management_api.protobuf.details import changed_details_of, details_of, timestamp_of
from portico_users.management_api.protobuf.messages import Kind, MessageValues, message_of
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.decision import NOT_PERMITTED
from portico_users.management_api.transport.targets import EVERYWHERE, org_as_owner
from portico_users.notifications.commands.senders import SENDER_NOT_FOUND, RotateSenderSecret, SetSender
from portico_users.notifications.commands.try_senders import TryEmailSender, TrySmsSender
from portico_users.notifications.email.delivery_record import DeliveryRecord
from portico_users.notifications.senders.allowance import Allowance
from portico_users.notifications.senders.sender import (
    EMAIL_SENDER_FIELDS,
    SMS_SENDER_FIELDS,
    Channel,
    MongoSenders,
    Sender,
)
from portico_users.organizations.org import MongoOrgs
from portico_users.values.fields import Declared, Fields
from portico_users.values.names import INSTANCE

Find = Callable[..., Awaitable[Target[Sender]]]


def own(channel: Channel) -> Find:
    """Finds the sender of the caller's organization, or the one that the header names."""

    async def find(
        context: RequestContext, request: object, *, orgs: MongoOrgs, senders: MongoSenders
    ) -> Target[Sender]:
        org = await org_as_owner(context, request, orgs=orgs)
        return Target(org.org_id, await _load(senders, org.org_id, channel), org.absent)

    return find


async def of_instance(_context: RequestContext, _request: object, *, senders: MongoSenders) -> Target[Sender]:
    return Target(EVERYWHERE, await _load(senders, INSTANCE, Channel.SMS), NOT_PERMITTED)


async def _load(senders: MongoSenders, owner_id: str, channel: Channel) -> Sender:
    return await senders.find_of(owner_id, channel) or Sender(id="", org_id=owner_id, channel=channel)


def required(call: Call[Sender]) -> Sender:
    if not call.target.subject.id:
        raise SENDER_NOT_FOUND.error()
    return call.target.subject


async def get_sms_sender(
    call: Call[Sender], _request: pb.GetSmsSenderRequest, *, record: DeliveryRecord, allowance: Allowance, clock: Clock
) -> pb.GetSmsSenderResponse:
    sender = call.target.subject
    sent = await allowance.find(sender.org_id)
    shown = await _shown(pb.SmsSender, SMS_SENDER_FIELDS, sender, record, clock)
    return pb.GetSmsSenderResponse(sender=shown, sent_today=sent.today, sent_this_month=sent.this_month)


async def get_email_sender(
    call: Call[Sender], _request: pb.GetEmailSenderRequest, *, record: DeliveryRecord, clock: Clock
) -> pb.GetEmailSenderResponse:
    shown = await _shown(pb.EmailSender, EMAIL_SENDER_FIELDS, call.target.subject, record, clock)
    return pb.GetEmailSenderResponse(sender=shown)


async def _shown(
    kind: type[Kind], fields: Fields[Sender, Declared], sender: Sender, record: DeliveryRecord, clock: Clock
) -> Kind | None:
    if not sender.id:
        return None
    delivery = await record.find(sender.id)
    shown = pb.SenderDelivery(
        last_delivery_date=timestamp_of(delivery.delivered_at) if delivery.delivered_at else None,
        last_failure_date=timestamp_of(delivery.failed_at) if delivery.failed_at else None,
        failure=delivery.current_failure,
    )
    until = _previous_until(sender, clock.now())
    return message_of(kind, fields, sender, details=details_of(sender), previous_secret_until=until, delivery=shown)


def _previous_until(sender: Sender, now: float) -> Timestamp | None:
    return next((timestamp_of(one.until) for one in sender.secrets if now < one.until), None)


async def set_sms_sender(
    call: Call[Sender], request: pb.SetSmsSenderRequest, *, put: SetSender
) -> pb.SetSenderResponse:
    before = await _started(call, put)
    after = SMS_SENDER_FIELDS.changed(before, MessageValues(request))
    record, secret = await put(before, after, actor=call.caller.user_id)
    return pb.SetSenderResponse(details=changed_details_of(record), secret=secret)


async def set_email_sender(
    call: Call[Sender], request: pb.SetEmailSenderRequest, *, put: SetSender
) -> pb.SetSenderResponse:
    before = await _started(call, put)
    after = EMAIL_SENDER_FIELDS.changed(before, MessageValues(request))
    record, secret = await put(before, after, request.smtp_password, actor=call.caller.user_id)
    return pb.SetSenderResponse(details=changed_details_of(record), secret=secret)


async def _started(call: Call[Sender], put: SetSender) -> Sender:
    sender = call.target.subject
    return sender if sender.id else await put.find_or_new(sender.org_id, sender.channel)


async def rotate_sender_secret(
    call: Call[Sender], _request: pb.ChangeSenderRequest, *, rotate: RotateSenderSecret, clock: Clock
) -> pb.RotateSenderSecretResponse:
    record, secret = await rotate(required(call), actor=call.caller.user_id)
    return pb.RotateSenderSecretResponse(
        details=changed_details_of(record), secret=secret, previous_secret_until=_previous_until(record, clock.now())
    )


async def send_test_message(
    call: Call[Sender], request: pb.TestSmsSenderRequest, *, send: TrySmsSender
) -> pb.TestSmsSenderResponse:
    await send(required(call), request.phone, call.language.tag, actor=call.caller.user_id)
    return pb.TestSmsSenderResponse()


async def send_test_email(
    call: Call[Sender], _request: pb.TestEmailSenderRequest, *, send: TryEmailSender
) -> pb.TestEmailSenderResponse:
    address = await send(required(call), call.language.tag, actor=call.caller.user_id)
    return pb.TestEmailSenderResponse(email=address)


OWN_SMS: Final = own(Channel.SMS)
OWN_EMAIL: Final = own(Channel.EMAIL)
