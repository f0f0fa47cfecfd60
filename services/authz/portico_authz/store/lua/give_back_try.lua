-- Takes back a counted try. A count that expired meanwhile, and began again, never gets below zero. KEYS: tries.
if tonumber(redis.call('GET', KEYS[1]) or 0) < 1 then
  return 0
end
return redis.call('DECR', KEYS[1])
