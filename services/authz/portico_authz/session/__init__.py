"""Browsers and their sessions: finding them, and signing somebody in."""
