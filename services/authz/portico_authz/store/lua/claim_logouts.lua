-- Claims due sessions; unless completed or enqueued again, other replicas may claim them after a while.
-- KEYS: queue. ARGV: now, until when they are claimed, how many at most. Returns sids.
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, sid in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], sid)
end
return due
