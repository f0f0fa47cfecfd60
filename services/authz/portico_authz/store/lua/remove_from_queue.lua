-- Removes an ended session from the queue. KEYS: queue. ARGV: sid.
return redis.call('ZREM', KEYS[1], ARGV[1])
