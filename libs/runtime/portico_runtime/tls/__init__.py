"""What every TLS client verifies, and why TLS failed, in words for the operator."""
