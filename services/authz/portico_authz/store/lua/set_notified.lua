-- Records that clients are notified of the end of a session. KEYS: session. ARGV: the clients' fields.
return redis.call('HDEL', KEYS[1], unpack(ARGV))
