from __future__ import annotations

import pytest
from portico_users.credentials.recovery_codes import code_hash as recovery_hash
from portico_users.credentials.totp.time_codes import code_at, matching_step
from portico_users.end_users.codes.challenge import code_hash

SECRET = b"12345678901234567890"
GROUPED = "005-924"
FULL_WIDTH = str.maketrans("0123456789", "\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19")
ARABIC = str.maketrans("0123456789", "\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668\u0669")
PERSIAN = str.maketrans("0123456789", "\u06f0\u06f1\u06f2\u06f3\u06f4\u06f5\u06f6\u06f7\u06f8\u06f9")


@pytest.mark.parametrize("digits", [{}, FULL_WIDTH, ARABIC, PERSIAN])
def test_codes_are_accepted_in_every_spelling(digits: dict[int, int]) -> None:
    """Digits of other scripts and separators are accepted for apps, emails and recovery codes."""
    assert code_at(SECRET, 1_234_567_890) == "005924"
    assert matching_step(SECRET, GROUPED.translate(digits), 1_234_567_890) == 1_234_567_890 // 30
    assert code_hash("name", "ab-c 234".translate(digits)) == code_hash("name", "ABC234")
    assert recovery_hash("u1", "abcd 2345".translate(digits)) == recovery_hash("u1", "ABCD-2345")
