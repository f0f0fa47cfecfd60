-- Ends one access token; the grant and its other tokens live on.
-- KEYS: grant
-- ARGV: token field
return redis.call('HDEL', KEYS[1], ARGV[1])
