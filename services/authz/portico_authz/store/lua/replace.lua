-- Changes a text that is kept; its time goes on. KEYS: key. ARGV: text.
return redis.call('SET', KEYS[1], ARGV[1], 'XX', 'KEEPTTL') and 1 or 0
