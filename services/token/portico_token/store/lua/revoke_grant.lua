-- Revokes a grant, also one that is saved later: a mark without a record takes its place.
-- KEYS: grant
-- ARGV: seconds the mark is stored
-- Returns 1 for the first time, 0 afterwards.
local first = redis.call('HEXISTS', KEYS[1], 'revoked') == 0
redis.call('UNLINK', KEYS[1])
redis.call('HSET', KEYS[1], 'revoked', '1')
redis.call('EXPIRE', KEYS[1], ARGV[1])
return first and 1 or 0
