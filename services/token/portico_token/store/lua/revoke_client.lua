-- Revokes the grants of a user to one client, one batch per call.
-- KEYS: user's grants
-- Arguments: `prefix` of the grants' keys (same bucket, same slot), `client_id`, `offset` of the batch and `batch_size`,
--            `mark_seconds` the mark of a revoked grant is stored
-- Returns how many grants were live, and how many ids were examined.
local ids = redis.call('ZRANGE', KEYS[1], tonumber(offset), tonumber(offset) + tonumber(batch_size) - 1)
local live = 0
for _, id in ipairs(ids) do
  local grant = prefix .. id
  local record = redis.call('HGET', grant, 'g')
  if record and cjson.decode(record).client_id == client_id then
    redis.call('UNLINK', grant)
    redis.call('HSET', grant, 'revoked', '1')
    redis.call('EXPIRE', grant, mark_seconds)
    live = live + 1
  end
end
return { live, #ids }
