-- Adds the access token of a token exchange to the grant of the token that was exchanged (RFC 8693).
-- KEYS: grant
-- Arguments: `subject_field` of the token that was exchanged, `token_field` and `token`, `token_entry` the token's field
--            and expiry, `now` in unix seconds, `most` added tokens that may be live, `client_id` it is issued to, `began_ms`
--            the exchange in unix milliseconds
-- Returns 1 added, 0 the grant, the exchanged token or the access of the client has ended, -1 too many are live.
-- Fields: 'xi:<number>' an added token: its field and its expiry; 'xo' and 'xn' the numbers of the oldest and the newest;
-- 'ce:<client id>' the unix milliseconds at which the access of that client ended.
local grant = KEYS[1]
if redis.call('HEXISTS', grant, 'g') == 0 or redis.call('HEXISTS', grant, subject_field) == 0 then
  return 0
end
local ended = redis.call('HGET', grant, 'ce:' .. client_id)
if ended and tonumber(began_ms) <= tonumber(ended) then
  return 0
end
local numbers = redis.call('HMGET', grant, 'xo', 'xn')
local oldest, newest = tonumber(numbers[1] or 1), tonumber(numbers[2] or 0)

local function read(number)
  return string.match(redis.call('HGET', grant, 'xi:' .. number) or '', '^(%S+) (%d+)$')
end

-- Expired ones are deleted, two for each new one, so that almost every exchange costs the same.
for _ = 1, 2 do
  local field, ends = read(oldest)
  if not field or tonumber(ends) > tonumber(now) then
    break
  end
  redis.call('HDEL', grant, 'xi:' .. oldest, field)
  oldest = oldest + 1
end

-- At the limit all are looked at: expired and revoked ones may come after one that lives longer. Live ones take the
-- numbers of those, because an earlier release counts the numbers, and stops deleting at one that is missing.
if newest - oldest + 1 >= tonumber(most) then
  local last = oldest - 1
  for number = oldest, newest do
    local field, ends = read(number)
    if field and tonumber(ends) > tonumber(now) and redis.call('HEXISTS', grant, field) == 1 then
      last = last + 1
      redis.call('HSET', grant, 'xi:' .. last, field .. ' ' .. ends)
    elseif field then
      redis.call('HDEL', grant, field)
    end
  end
  for number = last + 1, newest do
    redis.call('HDEL', grant, 'xi:' .. number)
  end
  newest = last
end
if newest - oldest + 1 >= tonumber(most) then
  redis.call('HSET', grant, 'xo', oldest, 'xn', newest)
  return -1
end
newest = newest + 1
redis.call('HSET', grant, token_field, token, 'xi:' .. newest, token_entry, 'xo', oldest, 'xn', newest)
return 1
