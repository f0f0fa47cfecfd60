"""The keys in MongoDB."""
