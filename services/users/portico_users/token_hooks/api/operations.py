"""The test of a token hook with invented data (decision 0149)."""

from __future__ import annotations

import json
from typing import Any, Final

from google.protobuf.struct_pb2 import Struct
from portico_contracts.generated.portico.management.v1 import webhook_messages_pb2 as pb
from portico_oauth.errors import ErrorCode, Kind

from portico_users.administrators.permissions import Permission
from portico_users.management_api.transport.call import Call
from portico_users.management_api.transport.operation import Operation
from portico_users.token_hooks.hook_calls import HookCalls
from portico_users.webhooks.targets import instance_webhook, own_webhook
from portico_users.webhooks.webhook import Webhook

NO_TOKEN_HOOK = ErrorCode(
    "USER-157",
    Kind.FAILED_PRECONDITION,
    "The webhook is not a token hook.",
    "Test a webhook with the event type token.issue.",
)


INVENTED: Final[dict[str, Any]] = {
    "clientId": "test",
    "projectId": "test",
    "userId": "test",
    "userOrganizationId": "test",
    "actorUserId": "",
    "scope": ["openid", "profile", "email"],
    "claims": {"name": "Test User", "email": "test@example.com", "email_verified": True},
    "refresh": False,
    "test": True,
}
"""Of a test: no value is of a user."""


async def try_token_hook(
    call: Call[Webhook], _request: pb.TestTokenHookRequest, *, calls: HookCalls
) -> pb.TestTokenHookResponse:
    """Raises USER-157."""
    webhook = call.target.subject
    if not webhook.is_token_hook:
        raise NO_TOKEN_HOOK.error()
    done = await calls.call_now(webhook, {**INVENTED, "projectId": webhook.project_id or "test"}, ())
    claims = Struct()
    claims.update(json.loads(json.dumps(done.claims)))
    return pb.TestTokenHookResponse(
        cause=done.cause, http_status=done.status, duration_ms=done.milliseconds, claims=claims
    )


TOKEN_HOOKS: Final[tuple[Operation, ...]] = (
    Operation(
        "portico.management.v1.WebhookService.TestTokenHook", Permission.ORG_WEBHOOK_WRITE, own_webhook, try_token_hook
    ),
    Operation(
        "portico.admin.v1.WebhookService.TestTokenHook", Permission.IAM_WEBHOOK_WRITE, instance_webhook, try_token_hook
    ),
)
