"""The private halves: handed to the replicas that sign and to nobody else, sealed anew under a newer master key."""
