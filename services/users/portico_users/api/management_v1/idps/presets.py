"""Operations on identity providers by preset: each is made of its form."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from google.protobuf.message import Message
from portico_contracts.management import METHODS

from portico_users.api.management_v1.idps.idp_options import options_of
from portico_users.api.management_v1.idps.preset_forms import AZURE_AD, GOOGLE, PresetForm
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.commands.identity_providers.idps import OTHER_KIND, AddIdp
from portico_users.directory.identity_providers.idp import Idp, OidcConfig, Options
from portico_users.directory.identity_providers.presets.names import PresetName

Handler = Callable[..., Awaitable[Message]]


def adding(name: str, form: PresetForm) -> Handler:
    """The handler of the method that adds one. It raises as `AddIdp`."""
    method = METHODS[name]

    async def handle(call: Call[str], request: Any, *, add: AddIdp) -> Message:
        idp = Idp(
            id="",
            org_id=call.target.subject,
            name=request.name,
            config=form.added(request),
            options=options_of(request, Options()),
        )
        record = await add(idp, form.secret(request), actor=call.caller.user_id)
        return method.response(details=details_of(record), id=record.id)

    handle.__annotations__ |= {"request": method.request, "add": AddIdp, "return": method.response}
    return handle


def updated_by(form: PresetForm) -> Callable[[Idp, Any], Idp]:
    """What makes of a provider and a message the provider as an update leaves it; USER-607 for another preset."""

    def after(before: Idp, request: Any) -> Idp:
        options = options_of(request, before.options)
        return msgspec.structs.replace(before, name=request.name, config=form.changed(before, request), options=options)

    return after


def migrated(before: Idp, request: Any) -> Idp:
    """A generic OpenID provider as one of the preset in the message.

    Raises:
        ServiceError: USER-607 for a provider that is none.
    """
    if not isinstance(before.config, OidcConfig) or before.config.preset is not PresetName.OIDC:
        raise OTHER_KIND.error()
    form, template = _template(request)
    options = options_of(template, before.options)
    return msgspec.structs.replace(before, name=template.name, config=form.added(template), options=options)


def secret_of_migrated(request: Any) -> str:
    """The client secret of the preset in the message."""
    form, template = _template(request)
    return form.secret(template)


def _template(request: Any) -> tuple[PresetForm, Any]:
    return (AZURE_AD, request.azure) if request.WhichOneof("template") == "azure" else (GOOGLE, request.google)
