-- Revokes everything issued to a user up to now, and deletes grants, one batch per call.
-- KEYS: user's grants, mark of the user's revocation, what the keys of grants begin with
-- Arguments: `now` in milliseconds, `mark_seconds` the mark is
--            stored, `batch_size`
-- Returns how many grants were live, and how many ids were examined.
local revoked_until = redis.call('GET', KEYS[2])
if not revoked_until or tonumber(revoked_until) < tonumber(now) then
  revoked_until = now
end
redis.call('SET', KEYS[2], revoked_until, 'EX', mark_seconds)
local ids = redis.call('ZRANGE', KEYS[1], 0, tonumber(batch_size) - 1)
local live = 0
for _, id in ipairs(ids) do
  local grant = KEYS[3] .. id
  -- The mark of a revoked grant stays.
  if redis.call('HEXISTS', grant, 'g') == 1 then
    redis.call('UNLINK', grant)
    live = live + 1
  end
end
if #ids > 0 then
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, #ids - 1)
end
return { live, #ids }
