from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click
import msgspec
from portico_contracts.apply import (
    ApiApp,
    ApiScope,
    ConsentName,
    Document,
    DpopName,
    GrantTypeName,
    OidcApp,
    Organization,
    Project,
    SecurityProfile,
)
from portico_contracts.users import APPLY, EXPORT, Apply, Export, Exported
from portico_oauth.errors import ServiceError
from portico_snippets import (
    API_FRAMEWORKS,
    FRAMEWORKS,
    Api,
    Application,
    CodeUnavailable,
    Framework,
    Rendered,
    find_api_framework,
    find_framework,
    render,
    render_api,
)
from portico_stack.machine.full_disks import naming
from portico_stack.running.operator_bus import APPLY_SECONDS

from portico_cli.apps.credentials import (
    API_METHODS,
    DPOP,
    KEYS,
    METHODS,
    NONCE,
    PROFILE,
    SUBJECT,
    binding,
    credentials,
    method_option,
)
from portico_cli.apps.registered import Home, NotFound, apps_of, find_apps, find_home, omitted
from portico_cli.bus_calls.operator_calls import call_or_exit, call_service, describe, is_timeout, to_change
from portico_cli.commands.workload import workload_command
from portico_cli.terminal.options import DATA, ISSUER, issuer_of
from portico_cli.terminal.output import refuse

_EXPORT_SECONDS: Final = 20.0
_PLACE: Final = re.compile(r"^organizations\[0\]\.projects\[0\]\.((oidc|api)Apps\[0\]\.)?")

_NAMES: Final = {value: name for name, value in METHODS.items()}
_API_NAMES: Final = {value: name for name, value in API_METHODS.items()}

_FRAMEWORK: Final = click.option(
    "--framework",
    "--for",
    "framework",
    type=click.Choice(FRAMEWORKS),
    default=FRAMEWORKS[0],
    show_default=True,
    help="Framework or application to print code for.",
)
_ORGANIZATION: Final = click.option(
    "--organization",
    default="",
    metavar="NAME",
    help="Name or id of the organization. Default: the default organization.",
)
_PROJECT: Final = click.option(
    "--project", default="", metavar="NAME", help="Name or id of the project. Required if the organization has several."
)
_OUTPUT: Final = click.option(
    "--output", type=click.Path(file_okay=False, path_type=Path), help="Directory to write the code to."
)


@click.group("app")
def app_command() -> None:
    """Register applications and print ready-to-use code for them."""


app_command.add_command(workload_command)


@app_command.command("add")
@click.argument("name")
@click.option(
    "--redirect",
    "redirects",
    multiple=True,
    metavar="URI",
    help="Redirect URI. Can be repeated. Required, except with --framework device-code.",
)
@click.option(
    "--post-logout", "post_logouts", multiple=True, metavar="URI", help="Post-logout redirect URI. Can be repeated."
)
@_ORGANIZATION
@_PROJECT
@method_option(METHODS, "the one the framework uses, and private_key_jwt with --security-profile fapi2")
@KEYS
@SUBJECT
@DPOP
@NONCE
@PROFILE
@click.option("--agent", is_flag=True, help="It acts for users by itself. Users are asked for consent.")
@_FRAMEWORK
@_OUTPUT
@ISSUER
@DATA
def add_command(
    data: Path, name: str, redirects: tuple[str, ...], post_logouts: tuple[str, ...], organization: str,
    project: str, framework: str, issuer: str, *, method: str | None, keys: tuple[Path, ...], subject: str,
    dpop: str | None, dpop_nonce: bool, profile: str, agent: bool, output: Path | None,
) -> None:  # fmt: skip
    """Register the OIDC application NAME. Prints its client secret, only once, and ready-to-use code."""
    issuer = issuer_of(data, issuer)
    wanted_code = find_framework(framework)
    if not redirects and not wanted_code.device:
        raise click.UsageError("Missing option '--redirect'.")
    method = method or ("private_key_jwt" if profile == SecurityProfile.FAPI2 else wanted_code.method)
    fields = {**credentials(method, keys, subject), **binding(dpop, profile, nonce=dpop_nonce)}
    home = _home_of(data, organization, project, name)
    wanted = OidcApp(
        id=_new_id(),  # a name that is taken meanwhile is refused, instead of changing what has it
        name=name,
        redirect_uris=redirects,
        post_logout_redirect_uris=post_logouts,
        grant_types=(GrantTypeName.AUTHORIZATION_CODE, *((GrantTypeName.DEVICE_CODE,) if wanted_code.device else ())),
        auth_method_type=METHODS[method],
        roles_claim=wanted_code.roles_claim,
        id_token_userinfo_assertion=wanted_code.userinfo_in_id_token,
        agent=agent,
        consent=ConsentName.ONCE if agent else ConsentName.NONE,
        **fields,
    )
    id, secret = _register(data, home, wanted)
    click.echo(f"Issuer         {issuer}")
    click.echo(f"Client id      {id}")
    if secret:
        click.echo(f"Client secret  {secret}  (shown only once)")
    if redirects:
        click.echo(f"Redirect URI   {'  '.join(redirects)}")
    click.echo(f"Auth method    {method}")
    needs_proofs = wanted.dpop is DpopName.REQUIRED
    application = Application(issuer, id, (*redirects, "")[0], method, needs_proofs=needs_proofs)
    _show_code(wanted_code, lambda: render(wanted_code, application), output)
    others = ", ".join(one for one in FRAMEWORKS if one != framework)
    click.echo(f"\nOther code: portico app snippet {id} --framework …  ({others})")


@app_command.command("add-api")
@click.argument("name")
@click.option("--scope", "scopes", multiple=True, help="Scope that applications can request. Can be repeated.")
@click.option(
    "--resource", "resources", multiple=True, metavar="URI", help="URI of the API, for `aud`. Can be repeated."
)
@click.option(
    "--token-exchange", is_flag=True, help="The API may exchange tokens of users for tokens of other APIs (RFC 8693)."
)
@method_option(API_METHODS, "client_secret_basic")
@KEYS
@SUBJECT
@_ORGANIZATION
@_PROJECT
@click.option(
    "--framework",
    type=click.Choice(API_FRAMEWORKS),
    default=API_FRAMEWORKS[0],
    show_default=True,
    help="Framework to print code for.",
)
@_OUTPUT
@ISSUER
@DATA
def add_api_command(
    data: Path, name: str, scopes: tuple[str, ...], resources: tuple[str, ...], organization: str, project: str,
    framework: str, issuer: str, *, method: str | None, keys: tuple[Path, ...], subject: str, token_exchange: bool,
    output: Path | None,
) -> None:  # fmt: skip
    """Register the API NAME. Prints its client secret, only once, and code that checks access tokens."""
    issuer, method = issuer_of(data, issuer), method or "client_secret_basic"
    fields = credentials(method, keys, subject)
    home = _home_of(data, organization, project, name)
    wanted = ApiApp(
        id=_new_id(),
        name=name,
        resources=resources,
        scopes=tuple(map(ApiScope, scopes)),
        token_exchange=token_exchange,
        auth_method_type=API_METHODS[method],
        **fields,
    )
    id, secret = _register(data, home, wanted)
    click.echo(f"Issuer         {issuer}")
    click.echo(f"Client id      {id}")
    if secret:
        click.echo(f"Client secret  {secret}  (shown only once)")
    click.echo(f"Resources      {'  '.join(resources)}")
    click.echo(f"Scopes         {'  '.join(scopes)}")
    code = find_api_framework(framework)
    api = Api(issuer, id, method, resources, scopes)
    _show_code(code, lambda: render_api(code, api), output)


@app_command.command("snippet", short_help="Print ready-to-use code for an application or API.")
@click.argument("app")
@click.option("--organization", default="", metavar="NAME", help="Name or id of the organization to search.")
@click.option(
    "--framework",
    type=click.Choice([*dict.fromkeys((*FRAMEWORKS, *API_FRAMEWORKS))]),
    help=f"Framework or application to print code for. Default: {FRAMEWORKS[0]}, or {API_FRAMEWORKS[0]} for an API.",
)
@_OUTPUT
@ISSUER
@DATA
def snippet_command(
    data: Path, app: str, organization: str, framework: str | None, issuer: str, *, output: Path | None
) -> None:
    """Print ready-to-use code for the application or API APP (client id or name), without its secret."""
    issuer = issuer_of(data, issuer)
    try:
        found = find_apps(lambda question: _export(data, question), organization, app).app
    except NotFound as error:
        refuse(f"refused: {error}")
    known = API_FRAMEWORKS if isinstance(found, ApiApp) else FRAMEWORKS
    if framework and framework not in known:
        kind = "APIs" if isinstance(found, ApiApp) else "applications that sign users in"
        refuse(f"refused: No code for {kind} with {framework}. Choose one of: {', '.join(known)}.")
    if isinstance(found, ApiApp):
        code, api = find_api_framework(framework or known[0]), _api(found, issuer)
        _show_code(code, lambda: render_api(code, api), output, alone=True)
    else:
        code = find_framework(framework or known[0])
        application = _application(found, issuer, needs_redirect=not code.device)
        _show_code(code, lambda: render(code, application), output, alone=True)


def _home_of(data: Path, organization: str, project: str, name: str) -> Home:
    """Returns where a new application belongs; ends the command if the name is taken there."""
    try:
        home = find_home(lambda question: _export(data, question), organization, project)
    except NotFound as error:
        refuse(f"refused: {error}")
    if any(one.name == name for one in apps_of(home.project)):
        refuse(
            f"refused: The project {home.project.name if home.project else ''} already has an application {name}. `portico app snippet {name}` prints code for it."
        )
    return home


def _export(data: Path, question: Export) -> Exported:
    return call_or_exit(data, EXPORT, question, seconds=_EXPORT_SECONDS)


def _register(data: Path, home: Home, wanted: OidcApp | ApiApp) -> tuple[str, str]:
    project = home.project or Project(name=wanted.name)
    place = "api_apps" if isinstance(wanted, ApiApp) else "oidc_apps"
    project = msgspec.structs.replace(project, **omitted(project) | {place: (wanted,)})
    organization = Organization(name=home.organization.name, id=home.organization.id, projects=(project,))
    question = Apply(document=Document(organizations=(organization,)), keeps_settings=True)
    try:
        applied = call_service(data, APPLY, question, seconds=APPLY_SECONDS)
    except ServiceError as error:
        rest = (
            " The application may have been registered nevertheless." if is_timeout(error) else " Nothing was changed."
        )
        refuse(f"refused: {_without_place(describe(error, APPLY, APPLY_SECONDS))}{rest}{to_change(error.id)}")
    if failure := applied.failure:
        refuse(f"refused: {_without_place(failure.text)} ({failure.id}){to_change(failure.id)}")
    [change] = [change for change in applied.changes if change.kind == "app"]
    return change.id, change.generated_secret


def _new_id() -> str:
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


def _without_place(sentence: str) -> str:
    """Removes the path in a document that the operator never sees; the field name remains."""
    return _PLACE.sub("", sentence)


def _api(app: ApiApp, issuer: str) -> Api:
    scopes = tuple(one.scope for one in app.scopes)
    roles = {one.scope: one.roles for one in app.scopes}
    return Api(issuer, app.client_id or app.id or "", _API_NAMES[app.auth_method_type], app.resources, scopes, roles)


def _application(app: OidcApp, issuer: str, *, needs_redirect: bool) -> Application:
    if needs_redirect and not app.redirect_uris:
        refuse(f"refused: The application {app.name} has no redirect URI.")
    redirect_uri = (*app.redirect_uris, "")[0]
    needs_proofs = app.dpop is DpopName.REQUIRED
    method = _NAMES[app.auth_method_type]
    return Application(issuer, app.client_id or app.id or "", redirect_uri, method, needs_proofs=needs_proofs)


def _show_code(
    framework: Framework, rendering: Callable[[], Rendered], output: Path | None, *, alone: bool = False
) -> None:
    """Prints the code, or why there is none, which is an error where the code `alone` was wanted."""
    try:
        rendered = rendering()
    except CodeUnavailable as error:
        if alone:
            refuse(f"refused: {error}")
        click.echo(f"\n{error}")
        return
    if output:
        write_code(rendered, output)
    click.echo(f"\nCode for {framework.title}:")
    for name, text in rendered.files.items():
        click.echo(f"\n--- {output / name if output else name}" + ("" if output else f"\n{text.rstrip()}"))
    click.echo("\n--- To run it")
    click.echo("\n".join(filter(None, [rendered.prepare, rendered.run])))


def write_code(rendered: Rendered, directory: Path) -> None:
    """Writes new files; existing files are never replaced."""
    there = [name for name in rendered.files if (directory / name).exists()]
    if there:
        click.echo(f"\n{directory / there[0]} already exists and was not changed. No code was written.", err=True)
        return
    for name, text in rendered.files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        with naming(directory / name):
            (directory / name).write_text(text, encoding="utf-8")
