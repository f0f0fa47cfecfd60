-- Extends the lifetime of a key. KEYS: key. ARGV: seconds.
local left = redis.call('TTL', KEYS[1])
if left >= 0 and left < tonumber(ARGV[1]) then
  redis.call('EXPIRE', KEYS[1], ARGV[1])
end
return 1
