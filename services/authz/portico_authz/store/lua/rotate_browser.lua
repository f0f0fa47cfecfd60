-- Gives a browser a new handle and state (LG-11). KEYS: record by old handle, record by new handle.
-- ARGV: browser, seconds. Returns 0 when the old handle is none any more.
if redis.call('DEL', KEYS[1]) == 0 then
  return 0
end
redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
return 1
