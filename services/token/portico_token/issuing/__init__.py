"""Issues tokens from the result of a grant type."""
