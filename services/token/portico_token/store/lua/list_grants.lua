-- The live grants of a user, those that live longest first. The ids of ended ones are deleted: otherwise they would fill
-- the places of live ones until they expire.
-- KEYS: user's grants, what the keys of grants begin with
-- ARGV: how many at most, how many ids are examined
-- Returns for each its record, and its refresh token or an empty text; then how many ids were there to examine.
local most = tonumber(ARGV[1])
local ids = redis.call('ZREVRANGE', KEYS[1], 0, tonumber(ARGV[2]) - 1)
local found, ended = {}, {}
for _, id in ipairs(ids) do
  if #found == most then
    break
  end
  local fields = redis.call('HMGET', KEYS[2] .. id, 'g', 'rt')
  if fields[1] then
    found[#found + 1] = { fields[1], fields[2] or '' }
  else
    ended[#ended + 1] = id
  end
end
if #ended > 0 then
  redis.call('ZREM', KEYS[1], unpack(ended))
end
return { found, #ids }
