from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from portico_contracts.generated.portico.v1.options_pb2 import Permission
from portico_contracts.proto_options import http_rule_of, permission_of

_FILES: Final = (
    "user.v2.user_service",
    "management.v1.project_grant_service",
    "management.v1.project_service",
    "management.v1.app_service",
    "management.v1.idp_service",
    "admin.v1.idp_service",
    "management.v1.policy_service",
    "admin.v1.policy_service",
    "admin.v1.settings_service",
    "admin.v1.signing_key_service",
    "management.v1.service_user_service",
    "management.v1.member_service",
    "admin.v1.member_service",
    "management.v1.user_metadata_service",
    "management.v1.user_service",
    "management.v1.caller_service",
    "management.v1.org_service",
    "admin.v1.org_service",
    "management.v1.user_grant_service",
    "management.v1.group_service",
    "management.v1.event_service",
    "management.v1.session_service",
    "management.v1.app_access_service",
    "management.v1.agent_service",
    "management.v1.search_service",
    "management.v1.statistics_service",
    "admin.v1.statistics_service",
    "admin.v1.email_service",
    "management.v1.trace_service",
    "admin.v1.trace_service",
    "management.v1.scim_service",
    "management.v1.scim_target_service",
    "management.v1.outside_server_service",
    "management.v1.webhook_service",
    "admin.v1.webhook_service",
    "management.v1.sender_service",
    "admin.v1.sender_service",
)

_GENERATED: Final = [import_module(f"portico_contracts.generated.portico.{file}_pb2") for file in _FILES]

SERVICES: Final[tuple[ServiceDescriptor, ...]] = tuple(
    service for file in _GENERATED for service in file.DESCRIPTOR.services_by_name.values()
)

_DETAILS: Final = frozenset({"portico.v1.ObjectDetails", "portico.object.v2.Details"})


@dataclass(frozen=True, slots=True)
class Method:
    """`name` includes the service (``portico.user.v2.UserService.AddHumanUser``); `template` has fields in braces."""

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
        service, _, method = self.name.rpartition(".")
        return f"/{service}/{method}"

    @property
    def answers_version(self) -> bool:
        """Reports whether callers may name the version of the object to change; intents have no versions."""
        details: Any = self.response.DESCRIPTOR.fields_by_name.get("details")
        changes = self.verb != "GET" and not self.name.endswith("IdentityProviderIntent")
        return changes and details is not None and details.message_type.full_name in _DETAILS


def method_of(described: MethodDescriptor) -> Method:
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
    described.full_name: method_of(described) for service in SERVICES for described in service.methods
}
