"""How long a refused certificate takes shows nothing (decision 0151)."""

from __future__ import annotations

import pytest
from cryptography import x509
from portico_contracts.users import AuthMethod
from portico_fakes.certificates import gateway_headers
from portico_fakes.token_service import TokenService
from portico_token.client_auth.certificate_checks import CertificateChecks

from .test_client_certificates import issue, revoke


@pytest.mark.parametrize("client_id", ["issued", "registered", "with-a-secret", "unknown"])
async def test_every_refused_certificate_costs_the_same(
    token_service: TokenService, monkeypatch: pytest.MonkeyPatch, client_id: str
) -> None:
    """An unknown client is refused after as many verifications of the chain as one with another certificate (P9)."""
    token_service.register("issued", AuthMethod.TLS_CLIENT_AUTH)
    token_service.register("registered", AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH)
    token_service.register("with-a-secret", AuthMethod.CLIENT_SECRET_BASIC)
    verified: list[x509.Certificate] = []
    verify = CertificateChecks._is_issued

    def counted(checks: CertificateChecks, certificate: x509.Certificate) -> bool:
        verified.append(certificate)
        return verify(checks, certificate)

    monkeypatch.setattr(CertificateChecks, "_is_issued", counted)
    other = issue(names=[x509.DNSName("other.example.test")])
    answer = await revoke(token_service, gateway_headers(other), client_id)

    assert (answer.status_code, len(verified)) == (401, 2)
