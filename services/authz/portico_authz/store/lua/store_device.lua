-- Stores a device that waits for its user. KEYS: device. ARGV: seconds, then its fields by name and value.
-- Returns 0 where another device has the code.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
