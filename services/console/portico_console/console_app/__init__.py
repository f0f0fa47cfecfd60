from __future__ import annotations

from typing import Final

from portico_console.console_app.api.index import show_index
from portico_console.console_app.api.operation import call_operation, show_operation
from portico_console.console_app.audit import AUDIT_PAGES
from portico_console.console_app.branding.page import change_branding, change_logo, show_branding
from portico_console.console_app.branding.sample import check_colours, show_sample
from portico_console.console_app.claim_rules.panel import name_by_email
from portico_console.console_app.claim_rules.preview import TOKEN_PREVIEW_PAGES
from portico_console.console_app.email_previews.page import EMAIL_PREVIEW_PAGES
from portico_console.console_app.emails import send_test_email
from portico_console.console_app.exports.pages import EXPORT_PAGES
from portico_console.console_app.find.page import show_find, show_suggestions
from portico_console.console_app.groups import GROUP_PAGES
from portico_console.console_app.guide_page import show_guide
from portico_console.console_app.home import show_all, show_home
from portico_console.console_app.invitations import INVITATION_PAGES
from portico_console.console_app.new_app.api_clients import save_clients
from portico_console.console_app.new_app.creation import create_app
from portico_console.console_app.new_app.questions import show_questions
from portico_console.console_app.new_app.redirect_advice import judge_redirect
from portico_console.console_app.new_app.start import show_app, show_service_user, show_waiting
from portico_console.console_app.org_home import show_org
from portico_console.console_app.overview.overview import show_instance
from portico_console.console_app.provider_wizard.pages import PROVIDER_PAGES
from portico_console.console_app.refusals import REFUSAL_PAGES
from portico_console.console_app.scim.connection_page import SCIM_PAGES
from portico_console.console_app.screens.pages import SCREEN_PAGES
from portico_console.console_app.sign_in_rules.page import save_rules, show_rules
from portico_console.console_app.sign_in_rules.reset import reset_rules, show_reset
from portico_console.console_app.sign_in_rules.sections import BY_KEY as CARDS
from portico_console.console_app.user_import.pages import IMPORT_PAGES
from portico_console.console_app.users import USER_PAGES
from portico_console.console_app.workloads.page import WORKLOAD_PAGES
from portico_console.page_table import PageRow

CONSOLE_PAGES: Final[tuple[PageRow, ...]] = (
    PageRow("", show_home),
    PageRow("/all", show_all),
    PageRow("/orgs/{org}", show_org),
    PageRow("/instance", show_instance),
    PageRow("/orgs/{org}/test-email", show_org, send_test_email),
    PageRow("/instance/test-email", show_instance, send_test_email),
    PageRow("/orgs/{org}/apps/new", show_questions, create_app),
    PageRow("/orgs/{org}/projects/{project}/apps/{app}", show_app),
    PageRow("/orgs/{org}/projects/{project}/apps/{app}/start", show_app),
    PageRow("/orgs/{org}/projects/{project}/apps/{app}/waiting", show_waiting),
    PageRow("/orgs/{org}/projects/{project}/apps/{app}/clients", show_app, save_clients),
    PageRow("/orgs/{org}/projects/{project}/apps/{app}/claims/email", show_app, name_by_email),
    PageRow("/orgs/{org}/machines/{user}/start", show_service_user),
    PageRow("/redirect-advice", judge_redirect),
    *REFUSAL_PAGES,
    PageRow("/help/{guide}", show_guide),
    PageRow("/api", show_index),
    PageRow("/api/{service}/{method}", show_operation, call_operation),
    *USER_PAGES,
    *GROUP_PAGES,
    *INVITATION_PAGES,
    PageRow("/orgs/{org}/rules/login/do/{action}", show_reset, reset_rules),
    *(PageRow(f"{base}/rules/{key}", show_rules, save_rules) for base in ("/orgs/{org}", "/instance") for key in CARDS),
    *IMPORT_PAGES,
    *EXPORT_PAGES,
    *AUDIT_PAGES,
    PageRow("/search", show_find),
    PageRow("/orgs/{org}/search", show_find),
    PageRow("/search/suggestions", show_suggestions),
    PageRow("/orgs/{org}/search/suggestions", show_suggestions),
    *PROVIDER_PAGES,
    *[
        row
        for base in ("/orgs/{org}", "/instance")
        for row in (
            PageRow(f"{base}/rules/branding", show_branding, change_branding),
            PageRow(f"{base}/rules/branding/check", check_colours),
            PageRow(f"{base}/rules/branding/logo", None, change_logo),
            PageRow(f"{base}/rules/branding/sample/{{theme}}", show_sample),
        )
    ],
    *EMAIL_PREVIEW_PAGES,
    *TOKEN_PREVIEW_PAGES,
    *SCIM_PAGES,
    *WORKLOAD_PAGES,
    *SCREEN_PAGES,
)
"""Every page. Objects with a list, a page and forms are rows of the table of screens; other pages are a row
here, a handler and a template.
"""
