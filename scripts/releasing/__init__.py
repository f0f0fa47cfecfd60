"""What a release consists of; `scripts/release.py` makes it."""
