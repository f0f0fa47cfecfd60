-- Claims a code: at most one caller is answered 'claimed' (TK-01, TK-03, TK-05, TK-06, TK-08).
-- KEYS: code. ARGV: client_id, redirect_uri, '1' when a verifier came, its challenge, now, seconds of the mark, seconds clocks
-- may differ.
-- Returns the outcome, then the grant (claimed) or the grant id (spent).
local code = redis.call('HMGET', KEYS[1], 'client_id', 'redirect_uri', 'challenge', 'expires_at', 'grant', 'grant_id',
  'issued_at')
if not code[1] then
  return {'unknown'}
end
if code[1] ~= ARGV[1] or code[2] ~= ARGV[2] then
  return {'foreign'}
end
if code[3] == '' then
  if ARGV[3] == '1' then
    return {'verifier_unasked'}
  end
elseif ARGV[3] ~= '1' then
  return {'verifier_missing'}
elseif code[3] ~= ARGV[4] then
  return {'verifier_wrong'}
end
-- Used: the grant is gone, the mark stays, so that a second presentation can be told from an unknown code.
if not code[5] then
  return {'spent', code[6]}
end
local now = tonumber(ARGV[5])
if now >= tonumber(code[4]) then
  return {'expired'}
end
redis.call('HDEL', KEYS[1], 'grant')
redis.call('EXPIRE', KEYS[1], ARGV[6])
-- The clock stands before the issue: it was set back since, and nobody knows how old the code is. It is used up, so that
-- it is not good again when the clock comes by a second time. A code of an earlier release does not say when it was issued.
if code[7] and now < tonumber(code[7]) - tonumber(ARGV[7]) then
  return {'expired'}
end
return {'claimed', code[5]}
