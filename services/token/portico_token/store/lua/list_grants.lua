-- The live grants of a user, those that live longest first.
-- KEYS: user's grants, what the keys of grants begin with
-- ARGV: how many at most
-- Returns for each its record, and its refresh token or an empty text.
local found = {}
for _, id in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, tonumber(ARGV[1]) - 1)) do
  local fields = redis.call('HMGET', KEYS[2] .. id, 'g', 'rt')
  if fields[1] then
    found[#found + 1] = { fields[1], fields[2] or '' }
  end
end
return found
