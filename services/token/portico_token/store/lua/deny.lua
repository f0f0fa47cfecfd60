-- Revokes a stateless token.
-- KEYS: mark of the token's revocation
-- ARGV: seconds until it would expire
redis.call('SET', KEYS[1], '1', 'EX', ARGV[1])
return 1
