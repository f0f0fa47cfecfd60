-- Adds the access token of a token exchange to the grant of the token that was exchanged (RFC 8693).
-- KEYS: grant
-- Arguments: `subject_field` of the token that was exchanged, `token_field` and `token`, `token_entry` the token's field
--            and expiry, `now` in unix seconds, `most` added tokens that may be live
-- Returns 1 added, 0 the grant or the exchanged token has ended, -1 too many are live.
-- Fields: 'xi:<number>' an added token: its field and its expiry; 'xo' and 'xn' the numbers of the oldest and the newest.
local grant = KEYS[1]
if redis.call('HEXISTS', grant, 'g') == 0 or redis.call('HEXISTS', grant, subject_field) == 0 then
  return 0
end
local numbers = redis.call('HMGET', grant, 'xo', 'xn')
local oldest, newest = tonumber(numbers[1] or 1), tonumber(numbers[2] or 0)

-- Expired ones are deleted, two for each new one, so that every exchange costs the same.
for _ = 1, 2 do
  local place = 'xi:' .. oldest
  local field, ends = string.match(redis.call('HGET', grant, place) or '', '^(%S+) (%d+)$')
  if not field or tonumber(ends) > tonumber(now) then
    break
  end
  redis.call('HDEL', grant, place, field)
  oldest = oldest + 1
end
if newest - oldest + 1 >= tonumber(most) then
  redis.call('HSET', grant, 'xo', oldest)
  return -1
end
newest = newest + 1
redis.call('HSET', grant, token_field, token, 'xi:' .. newest, token_entry, 'xo', oldest, 'xn', newest)
return 1
