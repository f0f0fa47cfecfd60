-- Decides whether a stateless token is active.
-- KEYS: epoch of the bucket, mark of the token's revocation, mark of its user's revocation, versions of facts of the bucket
-- ARGV: unix seconds and unix milliseconds it was issued at, the user's field in the versions of facts
-- Returns the version of the facts about its user, empty when there is none; nil when the token is not active.
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  -- Data was lost, and revocations with it: nothing issued up to now can be accepted.
  redis.call('SET', KEYS[1], tonumber(redis.call('TIME')[1]) + 1)
  return nil
end
if tonumber(ARGV[1]) < tonumber(epoch) or redis.call('EXISTS', KEYS[2]) == 1 then
  return nil
end
local revoked_until = redis.call('GET', KEYS[3])
if revoked_until and tonumber(ARGV[2]) <= tonumber(revoked_until) then
  return nil
end
return redis.call('HGET', KEYS[4], ARGV[3]) or ''
