-- Clients were told that a session ended. KEYS: session. ARGV: the clients' fields.
return redis.call('HDEL', KEYS[1], unpack(ARGV))
