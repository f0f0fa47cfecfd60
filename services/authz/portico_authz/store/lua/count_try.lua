-- Counts a try, and returns the number of those within the time. KEYS: tries. ARGV: seconds.
local tries = redis.call('INCR', KEYS[1])
if tries == 1 then
  redis.call('EXPIRE', KEYS[1], ARGV[1])
end
return tries
