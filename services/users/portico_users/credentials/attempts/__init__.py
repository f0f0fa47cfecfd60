"""Failed attempts: counted, delayed by exponential back-off, and locked out where a policy demands it."""
