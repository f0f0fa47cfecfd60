-- Revokes the grants of a user to one client, some per call. A scan returns every grant that is there all the time, wherever
-- others that are saved, refreshed or expire move it meanwhile; an offset would step over one.
-- KEYS: user's grants, what the keys of grants begin with
-- Arguments: `client_id`, `cursor` of the scan (0 begins), `batch_size`
--            about how many are looked at, `mark_seconds` the mark of a revoked grant is stored
-- Returns how many grants were live, and the next cursor (0 when all were looked at).
local found = redis.call('ZSCAN', KEYS[1], cursor, 'COUNT', batch_size)
local live = 0
for index = 1, #found[2], 2 do
  local id = found[2][index]
  local grant = KEYS[2] .. id
  local record = redis.call('HGET', grant, 'g')
  if record and cjson.decode(record).client_id == client_id then
    redis.call('UNLINK', grant)
    redis.call('HSET', grant, 'revoked', '1')
    redis.call('EXPIRE', grant, mark_seconds)
    redis.call('ZREM', KEYS[1], id)
    live = live + 1
  end
end
return { live, found[1] }
