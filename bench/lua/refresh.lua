-- Every thread goes through its own refresh tokens, and keeps each new one for the next time (RFC 6749 §6).
--
-- plan: path, headers (with client authentication), body (what is sent besides the token); and as for members. Proofs
-- are those of DPoP: the run ends when all have been sent.
local measure = require("measure")
local chain = require("chain")
local members = require("members")
local plan = measure.plan

local needle = '"token_type"'

local function headers()
  local proof = plan.proofs and members.proof()
  if not proof then
    needle = '"token_type"'
    if plan.proofs then
      measure.finish()
    end
    return plan.headers
  end
  needle = '"DPoP"'
  local all = { DPoP = proof }
  for name, value in pairs(plan.headers) do
    all[name] = value
  end
  return all
end

local function first()
  local token = members.next()
  return wrk.format("POST", plan.path, headers(), plan.body .. "&refresh_token=" .. measure.escape(token))
end

local function step(status, _headers, body)
  local rotated = string.match(body, '"refresh_token"%s*:%s*"([^"]+)"')
  if status ~= 200 or not rotated or not string.find(body, needle, 1, true) or not string.find(body, '"id_token"', 1, true) then
    members.keep("")
    return nil, "refresh"
  end
  members.keep(rotated)
  chain.end_after(members.are_through())
  return true
end

chain.run(first, step)
