"""What tests of every part share: a clock that stands still, a bus in memory, real servers, a whole stack,
a relying party built on Authlib.

Owns nothing of the product; nothing of the product imports it.
"""
