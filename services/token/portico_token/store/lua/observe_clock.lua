-- Records the highest time of Redis's clock, and the time after its last step back.
-- KEYS: clock
-- Arguments: `lowest` and `highest` time of the nodes, `leeway_seconds` they may differ, `confirmed` is '1' when the
--            time was read again
-- Returns the time after the last step back, empty when there was none; 'again' where a step is not confirmed: a process
-- may have been suspended since it read the time.
local found = redis.call('HMGET', KEYS[1], 'stepped', 'highest')
local stepped, before = found[1] or '', tonumber(found[2] or '0')
if tonumber(lowest) < before - tonumber(leeway_seconds) then
  if confirmed ~= '1' then
    return 'again'
  end
  stepped, before = highest, 0
end
redis.call('HSET', KEYS[1], 'stepped', stepped, 'highest', math.max(before, tonumber(highest)))
return stepped
