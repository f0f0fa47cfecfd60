-- Extends the lifetime of a record, which counts as stored anew. KEYS: record, its index.
-- Arguments: record, seconds.
local left = redis.call('TTL', KEYS[1])
if left >= 0 and left < tonumber(seconds) then
  redis.call('EXPIRE', KEYS[1], seconds)
  if redis.call('ZSCORE', open, record) then
    add(open, record, seconds)
    extend(sizes, seconds)
  end
end
return 1
