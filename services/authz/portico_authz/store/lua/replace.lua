-- Replaces a stored text with the same expiry. KEYS: key. ARGV: text.
return redis.call('SET', KEYS[1], ARGV[1], 'XX', 'KEEPTTL') and 1 or 0
