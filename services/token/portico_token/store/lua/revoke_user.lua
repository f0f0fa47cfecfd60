-- Refuses what a user was given up to now, and ends grants, as many as one script should.
-- KEYS: user's grants, mark of the user's end
-- ARGV: what the grants' keys begin with (same bucket, same slot), now in milliseconds, seconds the mark stays, how many
-- Answers how many grants lived, and how many ids were looked at.
local ended = redis.call('GET', KEYS[2])
if not ended or tonumber(ended) < tonumber(ARGV[2]) then
  ended = ARGV[2]
end
redis.call('SET', KEYS[2], ended, 'EX', ARGV[3])
local ids = redis.call('ZRANGE', KEYS[1], 0, tonumber(ARGV[4]) - 1)
local lived = 0
for _, id in ipairs(ids) do
  local grant = ARGV[1] .. id
  -- A grant that was revoked keeps its mark.
  if redis.call('HEXISTS', grant, 'g') == 1 then
    redis.call('UNLINK', grant)
    lived = lived + 1
  end
end
if #ids > 0 then
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, #ids - 1)
end
return { lived, #ids }
