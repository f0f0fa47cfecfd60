"""Policies, logos and settings of organizations and of the instance."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.instance.instance import INSTANCES, Instance, problems_of_intent_urls
from portico_users.journal.command import Command, Commit
from portico_users.organizations.edit_organizations import put_org
from portico_users.organizations.org import Org
from portico_users.policies import login_rules, policies, token_lifetimes
from portico_users.policies.logos import LogoImages, MongoLogos, attachment_of, name_of
from portico_users.policies.policies import Logos, Policies, PolicyKind, Theme, problems_of
from portico_users.policies.token_lifetimes import LongestLifetimes, TokenLifetimes
from portico_users.storage.entry import Entry
from portico_users.values.problems import below, refuse_first
from portico_users.values.records import Record, refuse_unchanged

Holder = Org | Instance
"""The owner of policies: an organization, or the instance as the default for all."""


@dataclass(frozen=True, slots=True)
class ChangeSettings(Command):
    commit: Commit

    def plan(self, before: Holder, after: Holder) -> Entry[Record]:
        if isinstance(after, Org):
            return put_org(before if isinstance(before, Org) else None, after)
        return put_instance(before if isinstance(before, Instance) and before.sequence else None, after)

    async def __call__(self, before: Holder, after: Holder, *, actor: str) -> Record:
        refuse_unchanged(before, after)
        return await self.commit(self.plan(before, after), actor=actor)


def put_instance(before: Instance | None, after: Instance) -> Entry[Instance]:
    refuse_first(login_rules.problems_of(after.login_rules))
    refuse_first(policies.problems_of(after.policies))
    return Entry(INSTANCES, before, after)


POLICY_EXISTS = ErrorCode(
    "USER-618", Kind.ALREADY_EXISTS, "The organization already has its own policy.", "Change it, or reset it first."
)
POLICY_NOT_FOUND = ErrorCode(
    "USER-619",
    Kind.NOT_FOUND,
    "The organization uses the policy of the instance.",
    "Add a policy for the organization first.",
)


def is_default(holder: Holder, kind: PolicyKind) -> bool:
    return isinstance(holder, Instance) or getattr(holder.policies, kind.name) is None


def with_policies(policies: Policies, wanted: Iterable[tuple[PolicyKind, msgspec.Struct, str]]) -> Policies:
    changed = {kind.name: value for kind, value, _ in wanted}
    for kind, value, place in wanted:
        refuse_first(problems_of(msgspec.structs.replace(Policies(), **{kind.name: value})), place)
    return msgspec.structs.replace(policies, **changed)


@dataclass(frozen=True, slots=True)
class OwnPolicy(Command):
    """A policy of an organization or of the instance, of every kind but the login policy."""

    change: ChangeSettings

    async def add(self, org: Org, kind: PolicyKind, policy: msgspec.Struct, *, actor: str) -> Record:
        """The organization with its own policy; USER-618 when it has its own already, and as `ChangeSettings`."""
        if not is_default(org, kind):
            raise POLICY_EXISTS.error()
        return await self.change(org, _with(org, kind, policy), actor=actor)

    async def update(self, holder: Holder, kind: PolicyKind, policy: msgspec.Struct, *, actor: str) -> Record:
        """The holder; USER-619 when an organization has no policy, and as `ChangeSettings`."""
        if isinstance(holder, Org) and is_default(holder, kind):
            raise POLICY_NOT_FOUND.error()
        return await self.change(holder, _with(holder, kind, policy), actor=actor)

    async def reset(self, org: Org, kind: PolicyKind, *, actor: str) -> Record:
        """Removes the policy of an organization, so that the instance's is in force; USER-619 when it has none."""
        if is_default(org, kind):
            raise POLICY_NOT_FOUND.error()
        return await self.change(org, _with(org, kind, None), actor=actor)


def _with(holder: Holder, kind: PolicyKind, policy: msgspec.Struct | None) -> Holder:
    policies = msgspec.structs.replace(holder.policies, **{kind.name: policy})
    return msgspec.structs.replace(holder, policies=policies)


LOGO_NOT_FOUND = ErrorCode("USER-904", Kind.NOT_FOUND, "Logo not found.", "Use a theme for which a logo was uploaded.")


@dataclass(frozen=True, slots=True)
class PolicyLogos(Command):
    """Stores logos, each in the place of the one of the same theme, and removes them."""

    change: ChangeSettings
    commit: Commit
    images: LogoImages
    logos: MongoLogos

    async def set(self, holder: Holder, theme: Theme, content: bytes, *, actor: str) -> Record:
        with below("logo"):
            image = await self.images.renew(content)
        after = _with_logo(holder, theme, name_of(image))
        refuse_unchanged(holder, after)
        entry = dataclasses.replace(
            self.change.plan(holder, after), attachments=(attachment_of(holder.id, theme.value, image),)
        )
        return await self.commit(entry, actor=actor)

    async def remove(self, holder: Holder, theme: Theme, *, actor: str) -> Record:
        """Removes a logo, so that the instance's is shown where no other is left; USER-904 where there is none."""
        if not getattr(holder.policies.logos or Logos(), theme.value):
            raise LOGO_NOT_FOUND.error(theme=theme.value)
        planned = self.change.plan(holder, _with_logo(holder, theme, ""))
        entry = dataclasses.replace(planned, side_writes=(self.logos.deletion(holder.id, theme.value),))
        return await self.commit(entry, actor=actor)


def _with_logo(holder: Holder, theme: Theme, name: str) -> Holder:
    """The holder with the name of a logo; without any, it has those of the instance."""
    logos = msgspec.structs.replace(holder.policies.logos or Logos(), **{theme.value: name})
    policies = msgspec.structs.replace(holder.policies, logos=None if logos == Logos() else logos)
    return msgspec.structs.replace(holder, policies=policies)


@dataclass(frozen=True, slots=True)
class SetIntentUrls(Command):
    change: ChangeSettings

    def applied(self, before: Instance, wanted: Sequence[str], place: str) -> Instance:
        refuse_first(problems_of_intent_urls(wanted, place))
        return msgspec.structs.replace(before, intent_urls=tuple(wanted))

    async def __call__(self, before: Instance, wanted: Sequence[str], *, actor: str) -> Record:
        """The instance as it was changed. Raises as `applied`; USER-702 when nothing would change."""
        return await self.change(before, self.applied(before, wanted, "urls"), actor=actor)


@dataclass(frozen=True, slots=True)
class AllowImpersonation(Command):
    change: ChangeSettings

    def applied(self, before: Instance, wanted: bool) -> Instance:
        return msgspec.structs.replace(before, allows_impersonation=wanted)

    async def __call__(self, before: Instance, wanted: bool, *, actor: str) -> Record:
        """The instance as it was changed. Raises USER-702 when nothing would change."""
        return await self.change(before, self.applied(before, wanted), actor=actor)


SETTINGS_THERE = ErrorCode(
    "USER-932", Kind.ALREADY_EXISTS, "The token lifetimes are already set.", "Update them instead."
)


@dataclass(frozen=True, slots=True)
class SetTokenLifetimes(Command):
    change: ChangeSettings
    longest: LongestLifetimes

    def applied(self, before: Instance, wanted: TokenLifetimes) -> Instance:
        """Returns the changed instance; lifetimes are at least one minute, at most the operator's maximum."""
        refuse_first(token_lifetimes.problems_of(wanted, self.longest))
        return msgspec.structs.replace(before, token_lifetimes=wanted)

    async def __call__(self, before: Instance, wanted: TokenLifetimes, *, actor: str) -> Record:
        """The instance as it was changed. Raises as `applied`; USER-702 when nothing would change."""
        return await self.change(before, self.applied(before, wanted), actor=actor)

    async def add(self, before: Instance, wanted: TokenLifetimes, *, actor: str) -> Record:
        if before.token_lifetimes is not None:
            raise SETTINGS_THERE.error()
        return await self(before, wanted, actor=actor)
