from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.apply import Gender
from portico_contracts.generated.portico.management.v1 import user_grant_service_pb2 as grants
from portico_contracts.generated.portico.management.v1 import user_queries_pb2 as v1
from portico_contracts.generated.portico.user.v2 import user_service_pb2 as v2
from portico_users.accounts.search import NOT_LISTED
from portico_users.accounts.store import ACCOUNTS
from portico_users.end_users.api.user_messages import Shown, user_json
from portico_users.end_users.end_user import (
    Address,
    AllowedScopes,
    EmailProof,
    EndUser,
    Metadata,
    ProofKind,
    SecurityKey,
)
from portico_users.end_users.idp_links import IdpLink
from portico_users.end_users.store import HUMANS
from portico_users.grants.role_grants import RoleGrant
from portico_users.groups.memberships import InGroup
from portico_users.management_api.transport.wire.json_answers import time_text, write_json
from portico_users.management_api.transport.wire.json_types import as_message, integer_text, json_type
from portico_users.organizations.org import Org
from portico_users.values.records import State

KINDS = (
    v2.ListUsersResponse,
    v2.GetUserByIDResponse,
    v1.ListUsersResponse,
    v1.GetHumanProfileResponse,
    grants.ListUserGrantsResponse,
)
ORG = Org(id="acme", org_id="acme", name="Acme", primary_domain="acme.example")
ADA = EndUser(
    id="ada",
    org_id="acme",
    state=State.LOCKED,
    created=1_700_000_000.5,
    changed=1_700_000_001.123456,
    sequence=7,
    user_name="ada",
    first_name="Ada",
    last_name="Lovelace",
    display_name="Ada Lovelace",
    email="ada@acme.example",
    email_verified=True,
    gender=Gender.FEMALE,
    phone="+41791234567",
    website="https://ada.example",
    address=Address(locality="London"),
    has_password=True,
    password_changed=1_700_000_000.0,
    pending_email="new@acme.example",
    groups=(InGroup(id="staff", name="Staff", added=True),),
    # What lists do not show:
    version="a1",
    metadata=(Metadata(key="team", value="eA"),),
    grants=(RoleGrant(project_id="shop", org_id="acme", role_keys=("buyer",)),),
    consents=(AllowedScopes(client_id="web", scopes=("openid",), at=1.0),),
    idp_links=(IdpLink(idp_id="google", user_id="1", user_name="ada"),),
    security_keys=(SecurityKey(id="k", name="Key"),),
    email_proof=EmailProof(kind=ProofKind.PROVEN),
    proven_email="old@acme.example",
    recovery_from=1.0,
    proven_recovery_from=1.0,
    has_totp=True,
    has_otp_email=True,
    has_otp_sms=True,
    recovery_codes=3,
    resets=1,
)
ADA_JSON = (
    b'{"userId":"ada","state":"USER_STATE_LOCKED","username":"ada",'
    b'"loginNames":["ada","ada@acme.example"],"preferredLoginName":"ada@acme.example",'
    b'"human":{"profile":{"firstName":"Ada","lastName":"Lovelace","displayName":"Ada Lovelace","gender":"GENDER_FEMALE"},'
    b'"email":{"email":"ada@acme.example","isVerified":true,"pendingEmail":"new@acme.example"},'
    b'"phone":{"phone":"+41791234567"},"passwordChanged":"2023-11-14T22:13:20Z",'
    b'"attributes":{"website":"https://ada.example","address":{"locality":"London"}},'
    b'"lastSignIn":"2023-11-14T22:13:21Z","groupNames":["Staff"]},'
    b'"details":{"sequence":"7","changeDate":"2023-11-14T22:13:21.123456Z","resourceOwner":"acme",'
    b'"creationDate":"2023-11-14T22:13:20.500Z"}}'
)


def value_of(field: Any, *, json: bool) -> Any:
    """A value of a field, for a message or for a struct."""
    if field.message_type is Timestamp.DESCRIPTOR:
        return time_text(1_700_000_000.123456) if json else Timestamp(seconds=1_700_000_000, nanos=123_456_000)
    if field.message_type is not None:
        return filled(field.message_type._concrete_class, json=json)
    if field.type in (FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_UINT64):
        return integer_text(2**40) if json else 2**40
    if field.enum_type is not None:
        return field.enum_type.values_by_number[1].name
    return {FieldDescriptor.TYPE_BOOL: True, FieldDescriptor.TYPE_STRING: 'Zoë "B"\n'}.get(field.type, 5)


def filled(kind: Any, *, json: bool) -> Any:
    """A value in every field; of a oneof in the first."""
    values = {}
    for field in kind.DESCRIPTOR.fields:
        if field.containing_oneof and field.containing_oneof.fields[0] is not field:
            continue
        value = value_of(field, json=json)
        values[field.name] = [value, value] if field.is_repeated else value
    return (json_type(kind) if json else kind)(**values)


@pytest.mark.parametrize("kind", KINDS)
def test_struct_has_the_json_of_its_message(kind: Any) -> None:
    """Whatever kinds of fields a message has, its struct is written with the same bytes, and becomes that message."""
    struct, message = filled(kind, json=True), filled(kind, json=False)

    assert write_json(struct) == write_json(message)
    assert as_message(struct) == message
    assert write_json(json_type(kind)()) == b"{}"
    assert as_message(json_type(kind)()) == kind()


def test_user_is_written_with_these_bytes() -> None:
    """Members are in the order of the .proto file, and values that are not set are omitted."""
    shown = user_json(ADA, ORG, Shown(1_700_000_001.0, group_names=("Staff",)))

    assert write_json(shown) == ADA_JSON == write_json(as_message(shown))


def test_lists_read_everything_they_show() -> None:
    """A user looks the same in a list, which reads fewer fields, as alone."""
    document = HUMANS.document(ADA)
    read = {name: value for name, value in document.items() if name not in NOT_LISTED}

    assert write_json(user_json(ACCOUNTS.record(read), ORG)) == write_json(user_json(ADA, ORG))
    assert {*NOT_LISTED} - {*document} == {"keys", "personalTokens"}
    assert [name for name in NOT_LISTED if not document.get(name, "of a service user")] == []
