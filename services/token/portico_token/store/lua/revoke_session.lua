-- Revokes every grant of a session, and marks it so that none is saved for it any more.
-- KEYS: session's grants, session's mark that it has ended
-- ARGV: prefix of the grants' keys (same bucket, same slot), seconds the mark is stored
-- Returns how many grants were live.
redis.call('SET', KEYS[2], '1', 'EX', ARGV[2])
local live = 0
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local grant = ARGV[1] .. id
  -- The mark of a revoked grant stays.
  if redis.call('HEXISTS', grant, 'g') == 1 then
    redis.call('UNLINK', grant)
    live = live + 1
  end
end
redis.call('UNLINK', KEYS[1])
return live
