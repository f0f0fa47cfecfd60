-- Every thread goes through its own refresh tokens, and keeps each new one for the next time (RFC 6749 §6).
--
-- plan: path, headers (with client authentication), body (what is sent besides the token); and as for members.
local measure = require("measure")
local chain = require("chain")
local members = require("members")
local plan = measure.plan

local function first()
  local token = members.next()
  return wrk.format("POST", plan.path, plan.headers, plan.body .. "&refresh_token=" .. measure.escape(token))
end

local function step(status, _headers, body)
  local rotated = string.match(body, '"refresh_token"%s*:%s*"([^"]+)"')
  if status ~= 200 or not rotated or not string.find(body, '"id_token"', 1, true) then
    members.keep("")
    return nil, "refresh"
  end
  members.keep(rotated)
  chain.end_after(members.are_through())
  return true
end

chain.run(first, step)
