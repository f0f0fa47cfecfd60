-- Removes trusted devices of a user and returns their number. KEYS: the user's devices. ARGV: ids, or nothing for all.
if ARGV[1] then
  return redis.call('HDEL', KEYS[1], unpack(ARGV))
end
local number = redis.call('HLEN', KEYS[1])
redis.call('DEL', KEYS[1])
return number
