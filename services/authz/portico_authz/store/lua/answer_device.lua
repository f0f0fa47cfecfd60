-- Approves or denies a device, once, while it waits. KEYS: device.
-- Arguments: secret, now, leeway, state, grant.
-- grant is empty for a denied device. Returns 0 where the device does not wait.
local stored, expires_at, asked_at, answered = unpack(redis.call('HMGET', KEYS[1], 'secret', 'expires_at', 'asked_at', 'state'))
if stored ~= secret or answered then
  return 0
end
now = tonumber(now)
if now >= tonumber(expires_at) or now < tonumber(asked_at) - tonumber(leeway) then
  return 0
end
-- Approved: it is not dropped as one of too many records.
redis.call('HSET', KEYS[1], 'state', state, 'proven', '1')
if grant ~= '' then
  redis.call('HSET', KEYS[1], 'grant', grant)
end
return 1
