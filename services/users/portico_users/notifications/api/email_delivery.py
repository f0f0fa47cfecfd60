"""Whether emails are delivered, and a test email."""

from __future__ import annotations

from portico_contracts.generated.portico.admin.v1 import email_service_pb2 as email_service_pb

from portico_users.instance.instance import Instance
from portico_users.management_api.protobuf.details import timestamp_of
from portico_users.management_api.transport.call import Call
from portico_users.notifications.commands.send_test_email import SendTestEmail
from portico_users.notifications.email.delivery_record import DeliveryRecord
from portico_users.values.operator_settings import CanSendEmail


async def get_email_delivery(
    _call: Call[Instance],
    _request: email_service_pb.GetEmailDeliveryRequest,
    *,
    record: DeliveryRecord,
    sends_email: CanSendEmail,
) -> email_service_pb.GetEmailDeliveryResponse:
    delivery = await record.find()
    return email_service_pb.GetEmailDeliveryResponse(
        mail_server_configured=sends_email,
        last_delivery_date=timestamp_of(delivery.delivered_at) if delivery.delivered_at else None,
        last_failure_date=timestamp_of(delivery.failed_at) if delivery.failed_at else None,
        failure=delivery.current_failure,
    )


async def send_test_email(
    call: Call[Instance], _request: email_service_pb.SendTestEmailRequest, *, send: SendTestEmail
) -> email_service_pb.SendTestEmailResponse:
    return email_service_pb.SendTestEmailResponse(email=await send(call.caller.user_id, call.language.tag))
