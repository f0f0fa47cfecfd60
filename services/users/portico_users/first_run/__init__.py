"""The first administrator: a one-time link of the operator, and everything that it creates at once (decision 0057)."""
