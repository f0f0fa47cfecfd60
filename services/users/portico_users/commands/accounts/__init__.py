"""Users of either kind: what humans and service users have in common."""
