"""Why requests were refused."""
