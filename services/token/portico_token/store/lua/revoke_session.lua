-- Revokes every grant of a session, and marks it so that none is saved for it any more.
-- KEYS: session's grants, session's mark that it has ended, user's grants, what the keys of grants begin with
-- ARGV: seconds the mark is stored
-- Returns how many grants were live.
redis.call('SET', KEYS[2], '1', 'EX', ARGV[1])
local live = 0
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local grant = KEYS[4] .. id
  -- The mark of a revoked grant stays.
  if redis.call('HEXISTS', grant, 'g') == 1 then
    redis.call('UNLINK', grant)
    live = live + 1
  end
  redis.call('ZREM', KEYS[3], id)
end
redis.call('UNLINK', KEYS[1])
return live
