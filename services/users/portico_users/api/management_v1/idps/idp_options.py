"""Reads and writes what follows a sign-in at an identity provider: creation, linking and update of accounts."""

from __future__ import annotations

from typing import Final, Protocol

from portico_contracts.generated.portico.management.v1 import idp_pb2 as pb

from portico_users.directory.identity_providers.idp import AutoLinking, Options

AUTO_LINKINGS: Final[dict[AutoLinking, pb.AutoLinkingOption]] = {
    AutoLinking.NONE: pb.AUTO_LINKING_OPTION_UNSPECIFIED,
    AutoLinking.USERNAME: pb.AUTO_LINKING_OPTION_USERNAME,
    AutoLinking.EMAIL: pb.AUTO_LINKING_OPTION_EMAIL,
}
_BY_NUMBER: Final = {int(number): linking for linking, number in AUTO_LINKINGS.items()}


class HasOptions(Protocol):
    """A request with optional provider options."""

    @property
    def provider_options(self) -> pb.ProviderOptions:
        """What happens."""
        ...

    def HasField(self, field_name: str, /) -> bool:  # noqa: N802 - of protobuf
        """Whether the request has a field."""
        ...


def options_message(options: Options) -> pb.ProviderOptions:
    """All of them."""
    return pb.ProviderOptions(
        is_linking_allowed=options.linking,
        is_creation_allowed=options.creation,
        is_auto_creation=options.auto_creation,
        is_auto_update=options.auto_update,
        auto_linking=AUTO_LINKINGS[options.auto_linking],
    )


def options_of(request: HasOptions, otherwise: Options) -> Options:
    """The options of a request; ``otherwise`` where it has none."""
    if not request.HasField("provider_options"):
        return otherwise
    wanted = request.provider_options
    return Options(
        linking=wanted.is_linking_allowed,
        creation=wanted.is_creation_allowed,
        auto_creation=wanted.is_auto_creation,
        auto_update=wanted.is_auto_update,
        auto_linking=_BY_NUMBER[wanted.auto_linking],
    )
