-- Stores a new grant with its first access token and, if there is one, its refresh token.
-- KEYS: grant, user's grants, mark of the user's end; with a session: session's grants, mark that it is over
-- ARGV: grant id, record, token field, token, seconds to live, when that ends, now, the grant's moment in
--       milliseconds, refresh token or empty, token's field and end
-- Answers 1 kept, 0 revoked before it was made, -1 the session is over, -2 its user was ended after that moment.
if KEYS[5] and redis.call('EXISTS', KEYS[5]) == 1 then
  return -1
end
local ended = redis.call('GET', KEYS[3])
if ended and tonumber(ARGV[8]) <= tonumber(ended) then
  return -2
end
-- Whatever is there already (the mark of a revocation, or another record) was there first.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'g', ARGV[2], ARGV[3], ARGV[4])
if ARGV[9] ~= '' then
  redis.call('HSET', KEYS[1], 'rt', ARGV[9], 'ai:1', ARGV[10])
end
redis.call('EXPIRE', KEYS[1], ARGV[5])
for _, index in ipairs({ KEYS[2], KEYS[4] }) do
  redis.call('ZREMRANGEBYSCORE', index, '-inf', '(' .. ARGV[7])
  redis.call('ZADD', index, ARGV[6], ARGV[1])
  if redis.call('TTL', index) < tonumber(ARGV[5]) then
    redis.call('EXPIRE', index, ARGV[5])
  end
end
return 1
