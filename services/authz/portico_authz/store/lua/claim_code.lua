-- Claims a code: at most one caller is answered 'claimed' (TK-01, TK-03, TK-05, TK-06, TK-08).
-- KEYS: code. ARGV: client_id, redirect_uri, '1' when a verifier came, its challenge, now, seconds of the mark.
-- Returns the outcome, then the grant (claimed) or the grant id (spent).
local code = redis.call('HMGET', KEYS[1], 'client_id', 'redirect_uri', 'challenge', 'expires_at', 'grant', 'grant_id')
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
if tonumber(ARGV[5]) >= tonumber(code[4]) then
  return {'expired'}
end
redis.call('HDEL', KEYS[1], 'grant')
redis.call('EXPIRE', KEYS[1], ARGV[6])
return {'claimed', code[5]}
