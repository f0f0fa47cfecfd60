-- Ends every grant of a session, and marks it so that none is made of it any more.
-- KEYS: session's grants, session's mark that it is over
-- ARGV: what the grants' keys begin with (same bucket, same slot), seconds the mark stays
-- Answers how many grants lived.
redis.call('SET', KEYS[2], '1', 'EX', ARGV[2])
local ended = 0
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local grant = ARGV[1] .. id
  -- A grant that was revoked keeps its mark.
  if redis.call('HEXISTS', grant, 'g') == 1 then
    redis.call('UNLINK', grant)
    ended = ended + 1
  end
end
redis.call('UNLINK', KEYS[1])
return ended
