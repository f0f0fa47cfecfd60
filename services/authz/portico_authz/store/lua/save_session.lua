-- Keeps a session. KEYS: session. ARGV: session, idle_until, seconds.
redis.call('HSET', KEYS[1], 'session', ARGV[1], 'idle_until', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
