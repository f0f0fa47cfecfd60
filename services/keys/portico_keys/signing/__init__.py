"""Private keys: distribution to token replicas, and resealing under a newer master key."""
