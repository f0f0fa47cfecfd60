-- Revokes one access token; the grant and its other tokens stay active.
-- KEYS: grant
-- ARGV: token field
return redis.call('HDEL', KEYS[1], ARGV[1])
