-- The live grants of a user, those that live longest first.
-- KEYS: user's grants
-- Arguments: `prefix` of the grants' keys (same bucket, same slot), `most` of them
-- Returns for each its record, and its refresh token or an empty text.
local found = {}
for _, id in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, tonumber(most) - 1)) do
  local fields = redis.call('HMGET', prefix .. id, 'g', 'rt')
  if fields[1] then
    found[#found + 1] = { fields[1], fields[2] or '' }
  end
end
return found
