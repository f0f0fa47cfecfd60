"""Browsers and their sessions: find, start and end them."""
