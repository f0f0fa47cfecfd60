-- Answers a poll of a device, and claims its grant: at most one caller gets 'claimed' (RFC 8628 section 3.5).
-- KEYS: device.
-- Arguments: client_id, secret, now, leeway, jitter, slower, claiming.
-- claiming is '1' or empty. Returns the outcome, and the grant with 'approved' and 'claimed'.
local stored_client, stored_secret, expires_at, asked_at, state, grant, interval, polled = unpack(redis.call('HMGET',
  KEYS[1], 'client_id', 'secret', 'expires_at', 'asked_at', 'state', 'grant', 'interval', 'polled'))
if not stored_client or stored_client ~= client_id or stored_secret ~= secret then
  return {'unknown'}
end
if state == 'spent' then
  return {'spent'}
end
now = tonumber(now)
if now >= tonumber(expires_at) or now < tonumber(asked_at) - tonumber(leeway) then
  return {'expired'}
end
if state == 'denied' then
  return {'denied'}
end
if state == 'approved' then
  if claiming ~= '1' then
    return {'approved', grant}
  end
  redis.call('HSET', KEYS[1], 'state', 'spent')
  redis.call('HDEL', KEYS[1], 'grant')
  return {'claimed', grant}
end
redis.call('HSET', KEYS[1], 'polled', now)
if polled and now < tonumber(polled) + tonumber(interval) - tonumber(jitter) then
  redis.call('HINCRBY', KEYS[1], 'interval', slower)
  return {'too_fast'}
end
return {'pending'}
