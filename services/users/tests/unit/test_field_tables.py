"""The tables of fields agree with the records, the messages and the documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest
from google.protobuf.message import Message
from portico_contracts.apply import ObjectState, OidcApp
from portico_contracts.generated.portico.admin.v1 import settings_service_pb2
from portico_contracts.generated.portico.management.v1 import (
    app_service_pb2,
    claim_rule_pb2,
    idp_assertions_pb2,
    idp_pb2,
    project_service_pb2,
    sender_messages_pb2,
    trusted_workload_pb2,
    webhook_messages_pb2,
)
from portico_contracts.management import METHODS
from portico_users.applications.app_record import API_APP, OIDC_APP, App
from portico_users.identity_providers.api.preset_mappings import PRESET_MAPPINGS
from portico_users.identity_providers.assertions.fields import ACCEPTED
from portico_users.identity_providers.idp_fields import CONFIGS, JWT, LDAP, OPTIONS
from portico_users.management_api.protobuf.messages import Names
from portico_users.notifications.senders.sender import EMAIL_SENDER_FIELDS, SMS_SENDER_FIELDS
from portico_users.policies.token_lifetimes import LIFETIME_FIELDS
from portico_users.projects.claim_rules import CLAIM_RULE_FIELDS
from portico_users.projects.project import PROJECT_FIELDS, ROLE_FIELDS, Project
from portico_users.trusted_workloads.workload import WORKLOAD_FIELDS
from portico_users.values.fields import Fields
from portico_users.values.records import State
from portico_users.webhooks.webhook import WEBHOOK_FIELDS


class Table(NamedTuple):
    """A table with the messages that have its fields.

    Attributes:
        requests, shown: every field of the table is in each of them, except for those in ``apart``.
        some: requests that have some of the fields.
        ids: fields of the requests that are not values of the record.
        apart: public names of fields that a message has elsewhere, or does not state.
    """

    fields: Fields[Any, Any]
    requests: tuple[type[Message], ...]
    shown: tuple[type[Message], ...]
    ids: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    some: tuple[type[Message], ...] = ()


def provider(word: str, fields: Fields[Any, Any], names: Names, *ids: str) -> Table:
    """A kind of identity provider, with what its messages call fields."""
    methods = [METHODS[f"portico.management.v1.IDPService.{verb}{word}Provider"] for verb in ("Add", "Update")]
    of_all = {"id", "idp_id", "name", "auto_register", "provider_options", "client_secret"}
    renamed = {one for value in names.values() for one in ([value] if isinstance(value, str) else value.values())}
    some = tuple(method.request for method in methods)
    return Table(fields, (), (), frozenset({*of_all, *ids, *map(str, renamed)}), some=some)


IN_NO_DOCUMENT: Final = {"is_auto_creation"}
"""What documents declare elsewhere: as ``autoRegister`` of the provider."""

_APP_IDS: Final = frozenset({"project_id", "app_id", "name", "version"})
TABLES: Final = {
    "OIDC applications": Table(
        OIDC_APP,
        (app_service_pb2.AddOIDCAppRequest, app_service_pb2.UpdateOIDCAppConfigRequest),
        (app_service_pb2.OIDCConfig,),
        _APP_IDS,
        frozenset({"name", "state", "client_id", "claim_rules", "trusted_workloads"}),
        some=(app_service_pb2.SetAppClaimRulesRequest, app_service_pb2.SetAppTrustedWorkloadsRequest),
    ),
    "API applications": Table(
        API_APP,
        (app_service_pb2.AddAPIAppRequest,),
        (app_service_pb2.APIConfig,),
        _APP_IDS,
        frozenset({"name", "state", "client_id", "trusted_workloads"}),
        some=(app_service_pb2.UpdateAPIAppConfigRequest, app_service_pb2.SetAPIScopesRequest),
    ),
    "projects": Table(
        PROJECT_FIELDS,
        (project_service_pb2.AddProjectRequest, project_service_pb2.UpdateProjectRequest),
        (project_service_pb2.Project,),
        frozenset({"project_id"}),
        frozenset({"state", "claim_rules"}),
        some=(project_service_pb2.SetProjectClaimRulesRequest,),
    ),
    "claim rules": Table(CLAIM_RULE_FIELDS, (claim_rule_pb2.ClaimRule,), (claim_rule_pb2.ClaimRule,)),
    "trusted workloads": Table(
        WORKLOAD_FIELDS,
        (trusted_workload_pb2.TrustedWorkload,),
        (trusted_workload_pb2.TrustedWorkload,),
    ),
    "roles": Table(
        ROLE_FIELDS,
        (
            project_service_pb2.AddProjectRoleRequest,
            project_service_pb2.UpdateProjectRoleRequest,
            project_service_pb2.NewProjectRole,
        ),
        (project_service_pb2.ProjectRole,),
        frozenset({"project_id"}),
        frozenset({"role_key"}),
    ),
    "webhooks": Table(
        WEBHOOK_FIELDS,
        (webhook_messages_pb2.AddWebhookRequest, webhook_messages_pb2.UpdateWebhookRequest),
        (webhook_messages_pb2.Webhook,),
        frozenset({"webhook_id"}),
        frozenset({"state"}),
    ),
    "senders of text messages": Table(
        SMS_SENDER_FIELDS, (sender_messages_pb2.SetSmsSenderRequest,), (sender_messages_pb2.SmsSender,)
    ),
    "senders of emails": Table(
        EMAIL_SENDER_FIELDS,
        (sender_messages_pb2.SetEmailSenderRequest,),
        (sender_messages_pb2.EmailSender,),
        frozenset({"smtp_password"}),
    ),
    "JWT providers": provider("GenericJWT", JWT, {}),
    "LDAP providers": provider("LDAP", LDAP, {}, "bind_password", "user_base"),
    **{
        f"{one.word} providers": provider(one.word, CONFIGS[type(one.blank)], one.names, "tenant", "private_key")
        for one in PRESET_MAPPINGS
    },
    "lifetimes of tokens": Table(
        LIFETIME_FIELDS,
        (settings_service_pb2.SetOIDCSettingsRequest,),
        (settings_service_pb2.OIDCSettings,),
        frozenset({"details"}),
    ),
    "accepted assertions": Table(
        ACCEPTED, (idp_assertions_pb2.AcceptedAssertions,), (idp_assertions_pb2.AcceptedAssertions,)
    ),
    "options of providers": Table(OPTIONS, (idp_pb2.ProviderOptions,), (idp_pb2.ProviderOptions,)),
}


def unknown_fields(table: Table) -> Iterator[str]:
    """The fields of the record that a document or a message does not have."""
    for field in table.fields.fields:
        place = f"{table.fields.record.__name__}.{field.name}"
        if field.public_name not in {*table.fields.document_type.__struct_fields__, *IN_NO_DOCUMENT}:
            yield f"{place} is not in {table.fields.document_type.__name__} as {field.public_name}"
        for message in (*table.requests, *table.shown):
            if field.public_name not in {*message.DESCRIPTOR.fields_by_name, *table.apart}:
                yield f"{place} is not in {message.__name__} as {field.public_name}"


def test_every_field_of_a_record_is_in_its_document_and_its_messages() -> None:
    """A field that a document or a message does not have is hidden in the table."""
    for name, table in TABLES.items():
        assert list(unknown_fields(table)) == [], name


def test_every_field_of_a_request_is_read() -> None:
    """A field of a request is in the table, or is one of the ids that the operation reads."""
    for title, table in TABLES.items():
        known = {*(field.public_name for field in table.fields.fields), *table.ids}
        unread = [
            f"{one.__name__}.{name}"
            for one in (*table.requests, *table.some)
            for name in one.DESCRIPTOR.fields_by_name
            if name not in known
        ]

        assert unread == [], title


class AppWithOneMore(App, frozen=True, kw_only=True):
    """An application with a field that is nowhere else."""

    one_more: bool = False


def test_a_field_that_is_only_in_the_record_is_named() -> None:
    """The test above names a field of the record that the document and the messages do not have."""
    rows = [field for field in OIDC_APP.fields if field.name != "one_more"]
    table = TABLES["OIDC applications"]._replace(fields=Fields(AppWithOneMore, OidcApp, rows, hidden=OIDC_APP.hidden))

    assert list(unknown_fields(table)) == [
        "AppWithOneMore.one_more is not in OidcApp as one_more",
        "AppWithOneMore.one_more is not in AddOIDCAppRequest as one_more",
        "AppWithOneMore.one_more is not in UpdateOIDCAppConfigRequest as one_more",
        "AppWithOneMore.one_more is not in OIDCConfig as one_more",
    ]


def test_a_table_has_no_row_for_an_unknown_field() -> None:
    """A misspelt field of a row or of the hidden fields is found when the table is made."""
    with pytest.raises(ValueError, match=r"App has no fields \['secrets'\]"):
        Fields(App, OidcApp, hidden=("secrets",))


@pytest.mark.parametrize(("state", "declared"), [(State.ACTIVE, None), (State.INACTIVE, ObjectState.INACTIVE)])
def test_a_document_leaves_out_optional_values_that_are_the_default(state: State, declared: ObjectState | None) -> None:
    """An exported object has a state only where it is inactive."""
    project = Project(id="1", org_id="2", name="shop", state=state)

    assert PROJECT_FIELDS.document(project).state is declared
