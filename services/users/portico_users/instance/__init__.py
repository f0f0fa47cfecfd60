"""Settings of the whole installation, and its signing keys as keys reports them.

Does not own policies that apply where an organization has none: see `policies`.
"""
