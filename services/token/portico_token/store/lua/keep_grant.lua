-- Stores a new grant with its first access token.
-- KEYS: grant, session's mark that it is over, session's grants, user's grants
-- ARGV: grant id, record, token field, token, seconds to live, expiry, now
-- Answers 1 kept, 0 revoked before it was made, -1 the session is over.
if redis.call('EXISTS', KEYS[2]) == 1 then
  return -1
end
-- Whatever is there already (the mark of a revocation, or another record) was there first.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'g', ARGV[2], ARGV[3], ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[5])
for i = 3, 4 do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', '(' .. ARGV[7])
  redis.call('ZADD', KEYS[i], ARGV[6], ARGV[1])
  if redis.call('TTL', KEYS[i]) < tonumber(ARGV[5]) then
    redis.call('EXPIRE', KEYS[i], ARGV[5])
  end
end
return 1
