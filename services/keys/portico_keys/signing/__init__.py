"""The private halves: distributed only to the replicas that sign, and sealed anew under a newer master key."""
