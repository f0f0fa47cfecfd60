"""authentik: blueprints, as ``ak export_blueprint`` writes them. Its claim ``groups`` lists the names of groups.

https://docs.goauthentik.io/customize/blueprints/
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from portico_contracts.apply import (
    AuthMethodName,
    ClaimPlaceName,
    ClaimRule,
    GrantTypeName,
    Group,
    PasswordPolicy,
)
from portico_contracts.users import MOST_CLAIM_RULES

from portico_conversion.applications.authentik.entries import Entries, Entry
from portico_conversion.applications.authentik.place_policies import report_place
from portico_conversion.applications.authentik.scope_mappings import rules_of
from portico_conversion.applications.authentik.sources import add_source
from portico_conversion.applications.draft import Draft, ProjectDraft
from portico_conversion.applications.grants import add_grant
from portico_conversion.applications.old_client import OldClient
from portico_conversion.applications.options import DocumentOptions
from portico_conversion.applications.password_length import allowed_length
from portico_conversion.findings import Findings, Place, Reports, SourceError
from portico_conversion.reading.records import Record, items_of, read_record
from portico_conversion.reading.yaml_files import read_yaml
from portico_conversion.users.converted_user import ConvertedUser

MODEL: Final = "objects without counterpart"
PATTERN: Final = "a redirect URI that is a regular expression: register each complete URI"
NO_CLIENT: Final = "an application without a client id in the file"
MAPPING: Final = "a scope mapping: its claims are made by an expression; add claim rules, or call a token hook"
RULES: Final = "a scope mapping: claim rules give its claims"
USERS: Final = "users: their passwords are not in blueprints (docs/guides/moving-from-authentik.md)"
RESTRICTED: Final = "an application bound to groups or users: everyone may sign in here, applications check the groups"
NESTED: Final = "a group in another group: its members are not in the other one"
ATTRIBUTES: Final = "attributes of a group"
SUPERUSERS: Final = "a group of administrators of authentik: its members have no administrator roles here"
SECOND_RULES: Final = "a second password policy: an organization has one"
FRONT_CHANNEL: Final = "front-channel logout: register a back-channel logout URI"
SUBJECT: Final = "sub: users have new ids here, unless the application identifies them by email address or user name"

_PROVIDER: Final = "authentik_providers_oauth2.oauth2provider"
_APPLICATION: Final = "authentik_core.application"
_GROUP: Final = "authentik_core.group"
_USER: Final = "authentik_core.user"
_PASSWORDS: Final = "authentik_policies_password.passwordpolicy"
_BINDING: Final = "authentik_policies.policybinding"
_MAPPING: Final = "authentik_providers_oauth2.scopemapping"
_SOURCES: Final = ("authentik_sources_oauth.oauthsource", "authentik_sources_ldap.ldapsource")
_GRANTS: Final = (GrantTypeName.AUTHORIZATION_CODE, GrantTypeName.REFRESH_TOKEN)
_OF_NEARLY_ALL: Final = frozenset(
    {
        "authentication_flow",
        "authorization_flow",
        "invalidation_flow",
        "property_mappings",
        "access_code_validity",
        "access_token_validity",
        "refresh_token_validity",
        "refresh_token_threshold",
        "signing_key",
        "sub_mode",
        "issuer_mode",
        "backchannel_application",
        "pk",
    }
)
_OF_PASSWORD_POLICIES: Final = frozenset(
    {
        "name",
        "pk",
        "error_message",
        "symbol_charset",
        "password_field",
        "check_static_rules",
        "execution_logging",
    }
)
_PARTS: Final = re.compile(r"\s+")


class _Application(Record, frozen=True, rename=None):
    name: str = ""

    usual = frozenset(
        {
            "provider",
            "pk",
            "slug",
            "open_in_new_tab",
            "meta_launch_url",
            "meta_icon",
            "meta_description",
            "meta_publisher",
            "group",
            "policy_engine_mode",
        }
    )

    @property
    def title(self) -> str:
        return f"application {self.name}"


class _Group(Record, frozen=True, rename=None):
    name: str
    is_superuser: Any = None
    attributes: dict[str, Any] = {}

    # References to other entries.
    usual = frozenset({"pk", "parent", "parents", "users"})

    @property
    def title(self) -> str:
        return f"group {self.name}"


class _Uri(Record, frozen=True, rename=None):
    url: str
    matching_mode: str = "strict"
    redirect_uri_type: str = "authorization"


class _Provider(Record, frozen=True, rename=None):
    client_id: str = ""
    name: str = ""
    client_secret: str = ""
    client_type: str = "confidential"
    redirect_uris: list[_Uri] | str = []
    include_claims_in_id_token: bool = True
    backchannel_logout_uri: str = ""
    # Since release 2025.10 instead.
    logout_uri: str = ""
    logout_method: str = "backchannel"

    usual = _OF_NEARLY_ALL

    @property
    def title(self) -> str:
        return f"client {self.client_id}" if self.client_id else f"provider {self.name}"


class _User(Record, frozen=True, rename=None):
    username: str
    name: str = ""
    email: str = ""
    is_active: bool = True
    type: str = "internal"

    is_part = True

    @property
    def title(self) -> str:
        return self.username


class _PasswordRule(Record, frozen=True, rename=None):
    length_min: int = 8
    amount_uppercase: int = 0
    amount_lowercase: int = 0
    amount_digits: int = 0
    amount_symbols: int = 0

    usual = _OF_PASSWORD_POLICIES


def read_drafts(files: Sequence[Path], options: DocumentOptions, findings: Findings) -> Iterator[Draft]:
    """Raises `SourceError` for a file that is not a blueprint. Several files are one installation."""
    entries = Entries()
    for path in files:
        document = read_yaml(path)
        if not isinstance(document.get("entries"), list):
            raise SourceError(path.name, "The file has no entries: it is not a blueprint.")
        entries.add(document, findings)
    id = options.org_id or "authentik"
    draft = Draft(id, id, findings, options.seen)
    project = draft.project(id, f"{id}-project")
    project.role_assertion = True
    for entry in entries.of(_GROUP):
        if group := _record(entry, _Group, findings):
            draft.add_group(entry.place, Group(name=group.name))
            _report_group(entries, entry, Reports(findings, entry.place, group.title))
    _add_providers(draft, project, entries)
    for entry in entries.of(*_SOURCES):
        add_source(draft, entry)
    for entry in entries.of(_PASSWORDS):
        if rule := _record(entry, _PasswordRule, findings):
            about = entry.place, f"password policy {entry.text('name')}"
            _add_password_policy(draft, rule, Reports(findings, *about))
    _report_others(draft, entries)
    if options.grants:
        _add_users(draft, project, entries)
    yield draft


def _add_providers(draft: Draft, project: ProjectDraft, entries: Entries) -> None:
    found = ((one, _record(one, _Application, draft.findings)) for one in entries.of(_APPLICATION))
    names = {entries.key(one.attrs.get("provider")): app.name for one, app in found if app}
    for entry in entries.of(_PROVIDER):
        provider = _record(entry, _Provider, draft.findings)
        if provider and not provider.client_id:
            draft.findings.left_out(entry.place, provider.title, NO_CLIENT)
        elif provider:
            about = entry.place, provider.title
            report = Reports(draft.findings, *about)
            rules = _claim_rules(entries, entry, provider)
            title = next((names[key] for key in entry.keys if names.get(key)), provider.name)
            draft.add_oidc(project, _old_client(entry.place, provider, title, rules, report))
            report.changed(SUBJECT, entry.text("sub_mode"))


def _claim_rules(entries: Entries, entry: Entry, provider: _Provider) -> tuple[ClaimRule, ...]:
    """Those of the scope mappings of the file that the provider names; the first one of a claim counts."""
    places: tuple[ClaimPlaceName, ...] = (ClaimPlaceName.USERINFO, ClaimPlaceName.INTROSPECTION)
    if provider.include_claims_in_id_token:
        places = (ClaimPlaceName.ID_TOKEN, ClaimPlaceName.ACCESS_TOKEN, *places)
    named = {entries.key(one) for one in _list(entry.attrs.get("property_mappings"))}
    found: dict[str, ClaimRule] = {}
    for mapping in entries.of(_MAPPING):
        if named.intersection(mapping.keys):
            rules = rules_of(mapping.text("expression"), mapping.text("scope_name"), places)
            found = {one.claim: one for one in rules} | found
    return tuple(found.values())[:MOST_CLAIM_RULES]


def _old_client(
    place: Place, provider: _Provider, title: str, rules: tuple[ClaimRule, ...], report: Reports
) -> OldClient:
    uris = provider.redirect_uris
    # Before 2024.12 a text with one address per line, compared as a regular expression when none is equal.
    if isinstance(uris, str):
        uris = [_Uri(one) for one in _PARTS.split(uris) if one]
    exact = []
    for uri in uris:
        if uri.matching_mode == "strict":
            exact.append(uri)
        else:
            report(PATTERN, uri.url)
    return OldClient(
        place=place,
        client_id=provider.client_id,
        name=title,
        secret=provider.client_secret,
        method=AuthMethodName.NONE if provider.client_type == "public" else AuthMethodName.BASIC,
        redirect_uris=[one.url for one in exact if one.redirect_uri_type == "authorization"],
        post_logout_uris=[one.url for one in exact if one.redirect_uri_type != "authorization"],
        grant_types=_GRANTS,
        claims_in_id_token=provider.include_claims_in_id_token,
        logout_uri=_logout_uri(provider, report),
        groups_claim="groups",
        claim_rules=rules,
    )


def _logout_uri(provider: _Provider, report: Reports) -> str:
    if provider.logout_uri and provider.logout_method != "backchannel":
        report(FRONT_CHANNEL, provider.logout_uri)
        return ""
    return provider.logout_uri or provider.backchannel_logout_uri


def _report_group(entries: Entries, entry: Entry, report: Reports) -> None:
    names = {key: group.text("name") for group in entries.of(_GROUP) for key in group.keys}
    for parent in [*items_of(entry.attrs.get("parent")), *items_of(entry.attrs.get("parents"))]:
        report.changed(NESTED, names.get(entries.key(parent), ""))
    if entry.attrs.get("is_superuser") is True:
        report(SUPERUSERS)
    if isinstance(attributes := entry.attrs.get("attributes"), dict) and attributes:
        report(ATTRIBUTES, ", ".join(attributes))


def _add_password_policy(draft: Draft, rule: _PasswordRule, report: Reports) -> None:
    if draft.password_policy is not None:
        report(SECOND_RULES)
        return
    draft.password_policy = PasswordPolicy(
        min_length=allowed_length(rule.length_min, report),
        has_uppercase=rule.amount_uppercase > 0,
        has_lowercase=rule.amount_lowercase > 0,
        has_number=rule.amount_digits > 0,
        has_symbol=rule.amount_symbols > 0,
    )


def _report_others(draft: Draft, entries: Entries) -> None:
    for entry in entries.of(_MAPPING):
        scope, title = entry.text("scope_name"), f"scope mapping {entry.text('name')}"
        if rules := rules_of(entry.text("expression"), scope, (ClaimPlaceName.USERINFO,)):
            Reports(draft.findings, entry.place, title).changed(RULES, ", ".join(one.claim for one in rules))
        else:
            draft.findings.not_moved(entry.place, title, MAPPING, scope)
    for entry in entries.of(_BINDING):
        draft.findings.not_moved(entry.place, "policy binding", RESTRICTED)
    for entry in entries.of(_USER):
        draft.findings.counted(USERS, entry.model)
    known = {_PROVIDER, _APPLICATION, _GROUP, _USER, _PASSWORDS, _BINDING, _MAPPING, *_SOURCES}
    by_place = {id(entry) for entry in entries.all if report_place(draft.findings, entry)}
    rest = [entry for entry in entries.all if entry.model not in known and id(entry) not in by_place]
    others = Counter(entry.model for entry in rest)
    first = {entry.model: entry.place for entry in reversed(rest)}
    for model, number in others.items():
        draft.findings.not_moved(first[model], "", MODEL, f"{number} of {model}")


def _add_users(draft: Draft, project: ProjectDraft, entries: Entries) -> None:
    known = {group.name for group in draft.groups}
    groups = {key: entry for entry in entries.of(_GROUP) for key in entry.keys}
    for entry in entries.of(_USER):
        user = _record(entry, _User, draft.findings)
        if user is None or not user.is_active or "service" in user.type:
            continue
        held = [groups.get(entries.key(one)) for one in _list(entry.attrs.get("groups"))]
        names = sorted({one.text("name") for one in held if one} & known)
        person = ConvertedUser(place=entry.place, id="", user_name=user.username, email=user.email, full_name=user.name)
        add_grant(draft, project, person, (), names)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _record(entry: Entry, kind: type[Any], findings: Findings) -> Any:
    return read_record(entry.attrs, kind, entry.place, findings)
