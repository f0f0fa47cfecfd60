-- Counts an attempt to notify clients. KEYS: session. Returns their number.
if redis.call('HEXISTS', KEYS[1], 'ended') == 0 then
  return 0
end
return redis.call('HINCRBY', KEYS[1], 'attempts', 1)
