"""Whether an application may use the management API for the people who sign in to it: an instance owner decides it."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import app_service_pb2 as pb
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.transport.call import Call
from portico_users.api.transport.targets import EVERYWHERE
from portico_users.directory.apps.app_record import App, has_management_access
from portico_users.directory.members.permissions import Permission
from portico_users.directory.projects.project import Project

OWNERS_DECIDE = ErrorCode(
    "USER-738",
    Kind.PERMISSION_DENIED,
    "Only an owner of the instance can allow an application to use the management API.",
    "Do not change managementAccess, or ask an owner of the instance (IAM_OWNER).",
)

Settings = pb.AddOIDCAppRequest | pb.UpdateOIDCAppConfigRequest


def only_owners_change_management_access(call: Call[App | Project], request: Settings) -> None:
    """Raises USER-738 where the request changes it and the caller is no owner of the instance."""
    subject = call.target.subject
    before = has_management_access(subject) if isinstance(subject, App) else False
    wanted = request.management_access if request.HasField("management_access") else before
    if wanted != before and not call.caller.may(Permission.IAM_WRITE, EVERYWHERE):
        raise OWNERS_DECIDE.error()
