-- Stores a trusted device among its user's. KEYS: the user's devices.
-- Arguments: id, device, seconds, then ids to remove.
redis.call('HSET', KEYS[1], id, device)
if redis.call('TTL', KEYS[1]) < tonumber(seconds) then
  redis.call('EXPIRE', KEYS[1], seconds)
end
if #ARGV > 3 then
  redis.call('HDEL', KEYS[1], unpack(ARGV, 4))
end
return 1
