-- Claims a code: at most one caller gets 'claimed' (TK-01, TK-03, TK-05, TK-06, TK-08). KEYS: code, versions of facts of its bucket.
-- Arguments: client_id, redirect_uri, has_verifier, challenge, now, mark_seconds, leeway, jkt.
-- jkt is the thumbprint of the proven key, or empty; a code without one may be redeemed with any.
-- has_verifier is '1' or empty; mark_seconds is how long a redeemed code is recognized.
-- Returns the outcome, then the grant id ('spent'), or the grant and the version of the facts about its user ('claimed'):
-- empty when there is none and nil when the code does not name its user.
local stored_client, stored_uri, stored_challenge, expires_at, grant, grant_id, issued_at, user, stored_jkt = unpack(redis.call('HMGET',
  KEYS[1], 'client_id', 'redirect_uri', 'challenge', 'expires_at', 'grant', 'grant_id', 'issued_at', 'u', 'jkt'))
if not stored_client then
  return {'unknown'}
end
if stored_client ~= client_id or stored_uri ~= redirect_uri then
  return {'foreign'}
end
if stored_challenge == '' then
  if has_verifier == '1' then
    return {'verifier_unasked'}
  end
elseif has_verifier ~= '1' then
  return {'verifier_missing'}
elseif stored_challenge ~= challenge then
  return {'verifier_wrong'}
end
if stored_jkt and stored_jkt ~= jkt then
  return {'other_key'}
end
-- Redeemed: the grant is deleted, the mark stays, so that a second presentation differs from an unknown code.
if not grant then
  return {'spent', grant_id}
end
now = tonumber(now)
if now >= tonumber(expires_at) then
  return {'expired'}
end
redis.call('HDEL', KEYS[1], 'grant')
redis.call('EXPIRE', KEYS[1], mark_seconds)
-- The clock is before the issue: it was set back since, and the age of the code is unknown. The code is used up, so that
-- it is not valid again when the clock passes that time a second time. A code of an earlier release has no time of issue.
if issued_at and now < tonumber(issued_at) - tonumber(leeway) then
  return {'expired'}
end
return {'claimed', grant, user and (redis.call('HGET', KEYS[2], user) or '')}
