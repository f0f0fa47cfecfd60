-- Uses an assertion up.
-- KEYS: epoch of the bucket, mark of the assertion
-- ARGV: unix seconds it was issued at, seconds the mark stays, now in unix milliseconds, milliseconds it may be
--       repeated or empty, milliseconds clocks may differ
-- Answers 1 for the first time, 2 for a repeat that is accepted, 0 for another, -1 when it is older than what is
-- remembered here. The mark holds the unix milliseconds of the first use, '1' where an earlier release set it.
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  -- Data was lost, and with it what was used: nothing issued up to now can be believed.
  redis.call('SET', KEYS[1], tonumber(redis.call('TIME')[1]) + 1)
  return -1
end
if tonumber(ARGV[1]) < tonumber(epoch) then
  return -1
end
if redis.call('SET', KEYS[2], ARGV[3], 'NX', 'EX', ARGV[2]) then
  return 1
end
if ARGV[4] == '' then
  return 0
end
local now, first = tonumber(ARGV[3]), tonumber(redis.call('GET', KEYS[2]))
local until_when = math.min(tonumber(ARGV[1]) * 1000, first) + tonumber(ARGV[4])
return now <= until_when and now >= first - tonumber(ARGV[5]) and 2 or 0
