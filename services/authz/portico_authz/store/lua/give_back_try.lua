-- Takes back a counted try. KEYS: tries.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
return redis.call('DECR', KEYS[1])
