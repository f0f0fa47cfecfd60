from __future__ import annotations

from portico_fakes.randomness import seeded_bytes
from portico_harness.rows import row
from portico_token.domain.claims import requested_claims
from portico_token.domain.token_text import grant_id_in, new_token_id

GRANT = "ab" + "x" * 22


def test_token_id_must_match_exactly() -> None:
    """A longer, shorter or differently spelled text names no grant (JW-14)."""
    for changed in ("", "A", "=", "\n", " ", ".x"):
        with row(changed):
            token_id = new_token_id(GRANT, seeded_bytes())
            others = (
                [token_id + changed, changed + token_id] if changed else [token_id[:-1], token_id[1:], token_id.upper()]
            )

            assert grant_id_in(token_id) == GRANT
            assert [grant_id_in(other) for other in others] == [None] * len(others)


def test_token_id_has_256_random_bits() -> None:
    random = seeded_bytes()
    one, two = new_token_id(GRANT, random), new_token_id(GRANT, random)

    assert one != two
    assert len(one.split(".")[1]) == 43


def test_claims_parameter_accepts_known_claims_only() -> None:
    """Unknown and protocol claims are ignored (JW-20)."""
    for parameter, userinfo, id_token in (
        ("", (), ()),
        ("{}", (), ()),
        ('{"userinfo":null,"id_token":{}}', (), ()),
        ('{"userinfo":{"name":null,"sub":null,"x":1},"other":1}', ("name",), ()),
        ('{"id_token":{"email":{"essential":true},"iss":{"value":"x"}}}', (), ("email",)),
    ):
        with row(parameter, userinfo, id_token):
            assert requested_claims(parameter) == (userinfo, id_token)
