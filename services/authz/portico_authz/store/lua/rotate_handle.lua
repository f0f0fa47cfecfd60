-- Rotates a browser's handle, and updates its request by the authentication that caused it, all or nothing (LG-11).
-- KEYS: record by old handle, record by new handle, request, the index of records.
-- Arguments: record, browser, seconds, request, answer, answer_seconds, then the request's fields by name and value.
-- answer is the code that becomes the response to the request where it has none, as in record_code; empty for none.
if redis.call('EXISTS', KEYS[3]) == 0 then
  return 'not_found'
end
if redis.call('DEL', KEYS[1]) == 0 then
  return redis.call('EXISTS', KEYS[2]) == 1 and 'already_rotated' or 'changed'
end
redis.call('SET', KEYS[2], browser, 'EX', seconds)
redis.call('HSET', KEYS[3], unpack(ARGV, 7))
forget(record)
if answer == '' or (redis.call('HGET', KEYS[3], 'answer') or '') ~= '' then
  return 'rotated'
end
redis.call('HSET', KEYS[3], 'answer', answer)
forget(request)
if redis.call('TTL', KEYS[3]) > tonumber(answer_seconds) then
  redis.call('EXPIRE', KEYS[3], answer_seconds)
end
return 'answered'
