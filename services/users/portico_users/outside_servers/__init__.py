"""Outside authorization servers of organizations: for whom applications get assertions (decision 0153).

Owns the rules of administrators, the decision on each request, and its log entry. Does not own the subject tokens and
the signatures: see token.
"""
