-- Stores a new grant with its first access token and, if there is one, its refresh token.
-- KEYS: grant, user's grants, mark of the user's revocation, mark that the access of the client has ended; with a session:
--       session's grants, mark that it has ended
-- Arguments: `id` of the grant, its `record`, `token_field` and `token`, `seconds` to live, `expires` and `now` in unix
--            seconds, `created_ms` the grant's timestamp in milliseconds, `refresh` token or empty, `token_entry` the
--            token's field and expiry, `person` the user's field in the versions of facts
-- Returns 1 saved, 0 revoked before it was saved, -1 the session has ended, -2 its user was revoked after `created_ms`, -3
-- the user ended the access of the client after it.
if KEYS[6] and redis.call('EXISTS', KEYS[6]) == 1 then
  return -1
end
local revoked_until = redis.call('GET', KEYS[3])
if revoked_until and tonumber(created_ms) <= tonumber(revoked_until) then
  return -2
end
-- Whatever is stored already (the mark of a revocation, or another record) was first.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
local access_ended = redis.call('GET', KEYS[4])
if access_ended and tonumber(created_ms) <= tonumber(access_ended) then
  return -3
end
redis.call('HSET', KEYS[1], 'g', record, 'u', person, token_field, token)
if refresh ~= '' then
  redis.call('HSET', KEYS[1], 'rt', refresh, 'ai:1', token_entry)
end
redis.call('EXPIRE', KEYS[1], seconds)
for _, index in ipairs({ KEYS[2], KEYS[5] }) do
  redis.call('ZREMRANGEBYSCORE', index, '-inf', '(' .. now)
  redis.call('ZADD', index, expires, id)
  if redis.call('TTL', index) < tonumber(seconds) then
    redis.call('EXPIRE', index, seconds)
  end
end
return 1
