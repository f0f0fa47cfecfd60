"""Tokens of trusted workloads, which other issuers sign for pods and CI jobs, as client authentication (decision 0152).

Unlike assertions, they may be used again until they expire (JW-10 does not hold for them); everything else does.
"""
