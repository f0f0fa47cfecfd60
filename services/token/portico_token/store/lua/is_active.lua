-- Decides whether a stateless token is active.
-- KEYS: epoch of the bucket, mark of the token's revocation, mark of its user's revocation
-- ARGV: unix seconds and unix milliseconds it was issued at
-- Returns 1 or 0.
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  -- Data was lost, and revocations with it: nothing issued up to now can be accepted.
  redis.call('SET', KEYS[1], tonumber(redis.call('TIME')[1]) + 1)
  return 0
end
if tonumber(ARGV[1]) < tonumber(epoch) or redis.call('EXISTS', KEYS[2]) == 1 then
  return 0
end
local revoked_until = redis.call('GET', KEYS[3])
if revoked_until and tonumber(ARGV[2]) <= tonumber(revoked_until) then
  return 0
end
return 1
