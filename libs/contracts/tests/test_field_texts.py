from __future__ import annotations

import pytest
from portico_contracts.field_texts import field_text
from portico_contracts.generated.portico.management.v1 import app_pb2, app_service_pb2


@pytest.mark.parametrize(
    "name",
    [
        "portico.management.v1.AppService",
        "portico.management.v1.AppService.AddOIDCApp",
        "portico.management.v1.AddOIDCAppRequest",
        "portico.management.v1.AddOIDCAppRequest.redirect_uris",
        "portico.management.v1.App.oidc_config",
        "portico.management.v1.OIDCAuthMethodType",
        "portico.management.v1.OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE",
        "portico.admin.v1.SetUpOrgRequest.Human.password",
    ],
)
def test_every_kind_of_declaration_has_a_text(name: str) -> None:
    """Services, methods, messages, fields, enums and values are found by their full names."""
    assert field_text(name).endswith(".")


def test_names_are_descriptor_names() -> None:
    field = app_service_pb2.AddOIDCAppRequest.DESCRIPTOR.fields_by_name["dev_mode"]
    value = app_pb2.OIDCAppType.DESCRIPTOR.values_by_number[2]

    assert "development" in field_text(field.full_name)
    assert "device" in field_text(f"{value.type.full_name}.{value.name}")


def test_unknown_name_has_no_text() -> None:
    assert field_text("google.protobuf.Timestamp.seconds") == ""
    assert field_text("portico.v1.ListQuery.unknown") == ""
