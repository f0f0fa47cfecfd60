"""The parts of a release; `scripts/release.py` combines them."""
