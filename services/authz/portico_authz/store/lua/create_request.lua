-- Stores a request. KEYS: request. ARGV: request, seconds.
redis.call('HSET', KEYS[1], 'request', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
