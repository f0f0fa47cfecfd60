-- Approves or denies a device, once, while it waits. The same request may repeat its answer, whose response may be lost.
-- KEYS: device.
-- Arguments: secret, request, now, leeway, state, grant.
-- grant is empty for a denied device. Returns 0 where the device does not wait.
local stored, expires_at, asked_at, answer, answered_by = unpack(redis.call('HMGET', KEYS[1], 'secret', 'expires_at', 'asked_at',
  'state', 'answered_by'))
if stored ~= secret then
  return 0
end
if answer then
  if answer == 'spent' then
    answer = 'approved'
  end
  return answer == state and answered_by == request and 1 or 0
end
now = tonumber(now)
if now >= tonumber(expires_at) or now < tonumber(asked_at) - tonumber(leeway) then
  return 0
end
-- Approved: it is not dropped as one of too many records.
redis.call('HSET', KEYS[1], 'state', state, 'answered_by', request, 'proven', '1')
if grant ~= '' then
  redis.call('HSET', KEYS[1], 'grant', grant)
end
return 1
