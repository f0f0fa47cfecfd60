"""The methods of the management API, read from the .proto files: all there are, and nothing besides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from portico_contracts.generated.portico.admin.v1 import idp_service_pb2 as admin_idp_service_pb2
from portico_contracts.generated.portico.admin.v1 import member_service_pb2 as admin_member_service_pb2
from portico_contracts.generated.portico.admin.v1 import org_service_pb2 as admin_org_service_pb2
from portico_contracts.generated.portico.admin.v1 import policy_service_pb2 as admin_policy_service_pb2
from portico_contracts.generated.portico.admin.v1 import settings_service_pb2, signing_key_service_pb2
from portico_contracts.generated.portico.admin.v1 import trace_service_pb2 as admin_trace_service_pb2
from portico_contracts.generated.portico.admin.v1 import webhook_service_pb2 as admin_webhook_service_pb2
from portico_contracts.generated.portico.management.v1 import (
    app_access_service_pb2,
    app_service_pb2,
    caller_service_pb2,
    event_service_pb2,
    idp_service_pb2,
    member_service_pb2,
    org_service_pb2,
    policy_service_pb2,
    project_grant_service_pb2,
    project_service_pb2,
    service_user_service_pb2,
    session_service_pb2,
    trace_service_pb2,
    user_grant_service_pb2,
    user_metadata_service_pb2,
    webhook_service_pb2,
)
from portico_contracts.generated.portico.management.v1 import user_service_pb2 as management_v1_user_service_pb2
from portico_contracts.generated.portico.user.v2 import user_service_pb2
from portico_contracts.generated.portico.v1.options_pb2 import Permission
from portico_contracts.proto_options import http_rule_of, permission_of

_FILES: Final = (
    user_service_pb2,
    project_grant_service_pb2,
    project_service_pb2,
    app_service_pb2,
    idp_service_pb2,
    admin_idp_service_pb2,
    policy_service_pb2,
    admin_policy_service_pb2,
    settings_service_pb2,
    signing_key_service_pb2,
    service_user_service_pb2,
    member_service_pb2,
    admin_member_service_pb2,
    user_metadata_service_pb2,
    management_v1_user_service_pb2,
    caller_service_pb2,
    org_service_pb2,
    admin_org_service_pb2,
    user_grant_service_pb2,
    event_service_pb2,
    session_service_pb2,
    app_access_service_pb2,
    trace_service_pb2,
    admin_trace_service_pb2,
    webhook_service_pb2,
    admin_webhook_service_pb2,
)
"""Every .proto file with a service; a new one is a word here."""

SERVICES: Final[tuple[ServiceDescriptor, ...]] = tuple(
    service for file in _FILES for service in file.DESCRIPTOR.services_by_name.values()
)


_DETAILS: Final = frozenset({"portico.v1.ObjectDetails", "portico.object.v2.Details"})


@dataclass(frozen=True, slots=True)
class Method:
    """One method.

    Args:
        name: with its service: ``portico.user.v2.UserService.AddHumanUser``.
        verb: of its JSON form.
        template: path of its JSON form, with field names in braces.
        has_body: its JSON form takes the fields in a body; otherwise in the query.
        permission: what its caller needs.
        more_templates: further paths of its JSON form, all with the same verb.
    """

    name: str
    request: type[Message]
    response: type[Message]
    verb: str
    template: str
    has_body: bool
    deprecated: bool
    permission: Permission
    more_templates: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The path of its Connect and gRPC forms."""
        service, _, method = self.name.rpartition(".")
        return f"/{service}/{method}"

    @property
    def answers_version(self) -> bool:
        """It changes an object and answers its details: a caller may name the version that the change is made from.

        An intent is no such object: it is begun and retrieved once.
        """
        details: Any = self.response.DESCRIPTOR.fields_by_name.get("details")
        changes = self.verb != "GET" and not self.name.endswith("IdentityProviderIntent")
        return changes and details is not None and details.message_type.full_name in _DETAILS


def _method(described: MethodDescriptor) -> Method:
    rule = http_rule_of(described)
    verb = rule.WhichOneof("pattern") or ""
    options: Any = described.GetOptions()
    return Method(
        name=described.full_name,
        request=GetMessageClass(described.input_type),
        response=GetMessageClass(described.output_type),
        verb=verb.upper(),
        template=getattr(rule, verb) if verb else "",
        has_body=rule.body == "*",
        deprecated=options.deprecated,
        permission=permission_of(described),
        more_templates=tuple(getattr(more, verb) for more in rule.additional_bindings),
    )


METHODS: Final[dict[str, Method]] = {
    described.full_name: _method(described) for service in SERVICES for described in service.methods
}
"""By name."""
