"""Making tokens from what a grant type found to be granted."""
