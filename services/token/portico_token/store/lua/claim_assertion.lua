-- Claims an assertion: it is used afterwards.
-- KEYS: epoch of the bucket, mark of the assertion
-- Arguments: `issued` in unix seconds, `earliest` it can have been issued, `mark_seconds` the mark is stored, `now` in
--            unix milliseconds, `repeat_ms` the milliseconds it may be repeated or empty, `leeway_ms` the milliseconds
--            clocks may differ
-- Returns 1 for the first time, 2 for a repeat that is accepted, 0 for another, -1 when it is older than what is
-- stored here. The mark holds the unix milliseconds of the first use, '1' where an earlier release set it.
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  -- Data was lost, and with it what was used: nothing issued up to now can be accepted.
  redis.call('SET', KEYS[1], tonumber(redis.call('TIME')[1]) + 1)
  return -1
end
if tonumber(earliest) < tonumber(epoch) then
  return -1
end
if redis.call('SET', KEYS[2], now, 'NX', 'EX', mark_seconds) then
  return 1
end
if repeat_ms == '' then
  return 0
end
local now_ms, first = tonumber(now), tonumber(redis.call('GET', KEYS[2]))
local until_when = math.min(tonumber(issued) * 1000, first) + tonumber(repeat_ms)
return now_ms <= until_when and now_ms >= first - tonumber(leeway_ms) and 2 or 0
