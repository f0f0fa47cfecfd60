"""Browsers and their sessions: finding them, signing somebody in, ending them."""
