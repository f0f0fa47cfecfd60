-- Rotates a browser's handle, and updates its request by the authentication that caused it, all or nothing (LG-11).
-- KEYS: record by old handle, record by new handle, request, the index of records.
-- Arguments: record, browser, seconds, then the request's fields by name and value.
if redis.call('EXISTS', KEYS[3]) == 0 then
  return 'not_found'
end
if redis.call('DEL', KEYS[1]) == 0 then
  return redis.call('EXISTS', KEYS[2]) == 1 and 'already_rotated' or 'changed'
end
redis.call('SET', KEYS[2], browser, 'EX', seconds)
redis.call('HSET', KEYS[3], unpack(ARGV, 4))
forget(record)
return 'rotated'
