-- Claims a flow to a provider, once: deletes and returns it for the browser and the provider it began with; for others
-- it names what differs, and the flow stays (LG-14). KEYS: flow, its index. ARGV: browser id, provider id, flow's name.
local found = redis.call('HMGET', KEYS[1], 'flow', 'browser', 'provider')
if not found[1] then
  return false
end
if found[2] ~= ARGV[1] then
  return 'browser'
end
if found[3] ~= ARGV[2] then
  return 'provider'
end
redis.call('DEL', KEYS[1])
forget(ARGV[3])
return found[1]
