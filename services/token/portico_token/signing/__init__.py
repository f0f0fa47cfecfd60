"""The signing keys, held in memory as a lease from keys, and signing with them."""
