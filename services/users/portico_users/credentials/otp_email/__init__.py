"""One-time codes by email as a second factor."""
