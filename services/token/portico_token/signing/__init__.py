"""The signing keys, in memory as a lease from the service keys, and signing with them."""
