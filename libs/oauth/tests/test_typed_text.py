from __future__ import annotations

from portico_oauth.typed_text import code_letters, trimmed

NAMES = {
    " ada\t": "ada",
    "\u00a0ada\u3000": "ada",
    "\u200bada\ufeff": "ada",
    "\u200e\u2066ada\u2069 \u200c": "ada",
    "\u2060ada lovelace\u00ad\n": "ada lovelace",
    "a\u200bda": "a\u200bda",
    "\u0d28\u0d4d\u200d": "\u0d28\u0d4d\u200d",
    "\u200b \ufeff": "",
}

CODES = {
    " 123 456 ": "123456",
    "123-456": "123456",
    "123\u2011456.": "123456",
    "\uff11\uff12\uff13\uff14\uff15\uff16": "123456",
    "\u0661\u0662\u0663 \u0664\u0665\u0666": "123456",
    "\u06f1\u06f2\u06f3\u06f4\u06f5\u06f6": "123456",
    "\u200f123456\ufeff": "123456",
    "abcd-ef23": "ABCDEF23",
    "\uff41\uff42-c": "ABC",
    "- \u200b": "",
}


def test_whitespace_is_trimmed_from_names() -> None:
    """Visible and invisible whitespace at the ends is removed, but not a joiner that ends a word."""
    assert {typed: trimmed(typed) for typed in NAMES} == NAMES


def test_code_is_read_without_grouping_in_any_script() -> None:
    assert {typed: code_letters(typed) for typed in CODES} == CODES
