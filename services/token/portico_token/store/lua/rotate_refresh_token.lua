-- Uses a refresh token: the current one, or within the grace period the one before it. A spent one ends the grant (TK-09).
-- KEYS: grant, user's grants; with a session: session's grants
-- Arguments: `id` of the grant, `presented` the fingerprint, `refresh` the next refresh token, `token_field`, `token`,
--            `seconds` to live, `expires` and `now` in unix seconds, `token_entry` the token's field and expiry,
--            `grace_seconds`, `max_spent` how many spent ones are stored, `mark_seconds` a mark is stored,
--            `leeway_seconds` clocks may differ, `record` of the grant where it changes, else empty, `jkt` of the key that the
--            client has proven, else empty
-- Returns 1 rotated, 0 not usable, -1 reused.
-- Fields besides the record and the access tokens: 'rt' the current refresh token; 'rs:<fingerprint>' a spent one
-- and 'si:<generation>' which one that was; 'ai:<generation>' the access token issued then: its field and its expiry.
local grant = KEYS[1]
local stored = redis.call('HGET', grant, 'rt')
if not stored then
  return 0
end
now = tonumber(now)
local current, next = cjson.decode(stored), cjson.decode(refresh)
if presented == current.fingerprint then
  next.previous, next.rotated_at = current.fingerprint, now
elseif presented == current.previous and now - current.rotated_at < tonumber(grace_seconds) then
  -- The first use may have bound the grant to a key, after this one read it (RFC 9449 section 5).
  local bound = cjson.decode(redis.call('HGET', grant, 'g')).jkt
  if bound and bound ~= jkt then
    return 0
  end
  -- The grace period counts from the first use, however often it is claimed.
  next.previous, next.rotated_at = current.previous, current.rotated_at
elseif redis.call('HEXISTS', grant, 'rs:' .. presented) == 1 then
  redis.call('UNLINK', grant)
  redis.call('HSET', grant, 'revoked', '1')
  redis.call('EXPIRE', grant, mark_seconds)
  for i = 2, #KEYS do
    redis.call('ZREM', KEYS[i], id)
  end
  return -1
else
  return 0
end
-- Too late, or the clock was set back before the issue of the current one.
if now >= current.idle_until or now < current.issued - tonumber(leeway_seconds) then
  return 0
end

-- Spent: the newest are stored, so that the record does not grow without bound.
redis.call('HSET', grant, 'rs:' .. current.fingerprint, '1', 'si:' .. current.generation, current.fingerprint)
local forgotten = 'si:' .. (current.generation - tonumber(max_spent))
local fingerprint = redis.call('HGET', grant, forgotten)
if fingerprint then
  redis.call('HDEL', grant, forgotten, 'rs:' .. fingerprint)
end

-- Expired access tokens are deleted, two for each new one, so that every use costs the same.
next.generation, next.oldest = current.generation + 1, current.oldest
for _ = 1, 2 do
  local place = 'ai:' .. next.oldest
  local field, ends = string.match(redis.call('HGET', grant, place) or '', '^(%S+) (%d+)$')
  if not field or tonumber(ends) > now then
    break
  end
  redis.call('HDEL', grant, place, field)
  next.oldest = next.oldest + 1
end

redis.call('HSET', grant, 'rt', cjson.encode(next), token_field, token, 'ai:' .. next.generation, token_entry)
if record ~= '' then
  redis.call('HSET', grant, 'g', record)
end
if redis.call('TTL', grant) < tonumber(seconds) then
  redis.call('EXPIRE', grant, seconds)
end
for i = 2, #KEYS do
  redis.call('ZADD', KEYS[i], expires, id)
  if redis.call('TTL', KEYS[i]) < tonumber(seconds) then
    redis.call('EXPIRE', KEYS[i], seconds)
  end
end
return 1
