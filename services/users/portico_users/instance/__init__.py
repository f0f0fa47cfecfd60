"""Settings of the whole installation, and its signing keys as keys reports them."""
