"""Recovery codes: single-use replacements for a lost second factor."""
