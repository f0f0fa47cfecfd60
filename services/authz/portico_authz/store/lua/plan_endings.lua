-- Has ended sessions looked at. KEYS: queue. ARGV: when, seconds the queue must live, sids.
for position = 3, #ARGV do
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[position])
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
