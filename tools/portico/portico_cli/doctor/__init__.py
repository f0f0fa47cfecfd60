"""What ``portico doctor`` checks from outside, and the checks that each service runs itself."""
