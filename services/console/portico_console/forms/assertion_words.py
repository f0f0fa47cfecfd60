"""Labels and hints of the form of accepted identity assertions."""

from __future__ import annotations

from typing import Final

ASSERTION_LABELS: Final = {
    "SetAcceptedAssertionsRequest.acceptedAssertions": "Accepted assertions",
    "AcceptedAssertions.rules": "Rules",
    "AcceptedAssertions.tenantClaim": "Claim of the tenant",
    "AcceptedAssertions.tenant": "Tenant",
    "AssertionRule.clientId": "Application",
    "AssertionRule.resource": "API",
}
ASSERTION_HINTS: Final = {
    "SetAcceptedAssertionsRequest.acceptedAssertions": "",
    "AcceptedAssertions.rules": "Without rules, no assertions are accepted. Access tokens that the new rules do not allow end.",
    "AcceptedAssertions.tenantClaim": "Only for an issuer that tenants share, such as hd for Google.",
    "AcceptedAssertions.tenant": "The value that this claim has to have.",
    "AssertionRule.clientId": "The client ID of an application that authenticates. Public clients are refused.",
    "AssertionRule.resource": "The resource of the API, as it is registered there.",
    "AssertionRule.scopes": "Scopes of the API that the application gets at most.",
}
