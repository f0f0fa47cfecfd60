"""The values of policies and the rules they obey."""
