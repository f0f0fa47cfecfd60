-- Revokes the grants of a user to one client, some per call. A scan returns every grant that is there all the time, wherever
-- others that are saved, refreshed or expire move it meanwhile; an offset would step over one.
-- KEYS: user's grants, what the keys of grants begin with, mark that the access of the client has ended
-- Arguments: `client_id`, `cursor` of the scan (0 begins), `batch_size`
--            about how many are looked at, `mark_seconds` the marks are stored, `now` in unix milliseconds
-- Returns how many grants were live, and the next cursor (0 when all were looked at).
-- Nothing that was begun up to now is saved any more: it may have checked before what the user allows.
redis.call('SET', KEYS[3], now, 'EX', mark_seconds)

-- Deletes the tokens that the client got by exchanges of another client's, and lets no exchange from before add one.
local function end_exchanged(grant)
  redis.call('HSET', grant, 'ce:' .. client_id, now)
  local numbers = redis.call('HMGET', grant, 'xo', 'xn')
  for number = tonumber(numbers[1] or 1), tonumber(numbers[2] or 0) do
    local field = string.match(redis.call('HGET', grant, 'xi:' .. number) or '', '^(%S+) %d+$')
    local token = field and redis.call('HGET', grant, field)
    if token and cjson.decode(token)[5] == client_id then
      redis.call('HDEL', grant, field)
    end
  end
end

local found = redis.call('ZSCAN', KEYS[1], cursor, 'COUNT', batch_size)
local live = 0
for index = 1, #found[2], 2 do
  local id = found[2][index]
  local grant = KEYS[2] .. id
  local record = redis.call('HGET', grant, 'g')
  if record and cjson.decode(record).client_id ~= client_id then
    end_exchanged(grant)
  elseif record then
    redis.call('UNLINK', grant)
    redis.call('HSET', grant, 'revoked', '1')
    redis.call('EXPIRE', grant, mark_seconds)
    redis.call('ZREM', KEYS[1], id)
    live = live + 1
  end
end
return { live, found[1] }
