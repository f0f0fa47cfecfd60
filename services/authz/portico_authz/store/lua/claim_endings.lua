-- Claims what is due; unless it is finished or planned again, others may claim it after a while.
-- KEYS: queue. ARGV: now, until when it is claimed, how many at most. Returns sids.
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, sid in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], sid)
end
return due
