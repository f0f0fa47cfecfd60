-- Uses a refresh token: the current one, or within the grace the one before it. A spent one ends the grant (TK-09).
-- KEYS: grant, user's grants; with a session: session's grants
-- ARGV: grant id, fingerprint presented, next refresh token, token field, token, seconds to live, when that ends,
--       now, token's place and end, seconds of grace, how many spent ones are remembered, seconds a mark stays,
--       seconds clocks may differ
-- Answers 1 rotated, 0 not usable, -1 reused.
-- Fields besides the record and the access tokens: 'rt' the current refresh token; 'rs:<fingerprint>' a spent one
-- and 'si:<generation>' which one that was; 'ai:<generation>' the access token made then: its field and its end.
local grant, now = KEYS[1], tonumber(ARGV[8])
local kept = redis.call('HGET', grant, 'rt')
if not kept then
  return 0
end
local current, next = cjson.decode(kept), cjson.decode(ARGV[3])
if ARGV[2] == current.fingerprint then
  next.previous, next.rotated_at = current.fingerprint, now
elseif ARGV[2] == current.previous and now - current.rotated_at < tonumber(ARGV[10]) then
  -- The grace counts from the first use, however often it is claimed.
  next.previous, next.rotated_at = current.previous, current.rotated_at
elseif redis.call('HEXISTS', grant, 'rs:' .. ARGV[2]) == 1 then
  redis.call('UNLINK', grant)
  redis.call('HSET', grant, 'revoked', '1')
  redis.call('EXPIRE', grant, ARGV[12])
  return -1
else
  return 0
end
-- Too late, or the clock was set back before the issue of the current one.
if now >= current.idle_until or now < current.issued - tonumber(ARGV[13]) then
  return 0
end

-- Spent: the newest are remembered, so the record does not grow for ever.
redis.call('HSET', grant, 'rs:' .. current.fingerprint, '1', 'si:' .. current.generation, current.fingerprint)
local forgotten = 'si:' .. (current.generation - tonumber(ARGV[11]))
local fingerprint = redis.call('HGET', grant, forgotten)
if fingerprint then
  redis.call('HDEL', grant, forgotten, 'rs:' .. fingerprint)
end

-- Access tokens that have expired go, two for each that comes, so that every use costs the same.
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

redis.call('HSET', grant, 'rt', cjson.encode(next), ARGV[4], ARGV[5], 'ai:' .. next.generation, ARGV[9])
if redis.call('TTL', grant) < tonumber(ARGV[6]) then
  redis.call('EXPIRE', grant, ARGV[6])
end
for i = 2, #KEYS do
  redis.call('ZADD', KEYS[i], ARGV[7], ARGV[1])
  if redis.call('TTL', KEYS[i]) < tonumber(ARGV[6]) then
    redis.call('EXPIRE', KEYS[i], ARGV[6])
  end
end
return 1
