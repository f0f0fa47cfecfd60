-- Schedules ended sessions for processing. KEYS: queue. ARGV: when, minimum seconds the queue exists, sids.
for position = 3, #ARGV do
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[position])
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
