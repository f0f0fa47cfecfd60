-- One request after another from a list, again and again; every answer must look as the plan says.
--
-- plan.requests: { method, path, headers, body }; plan.status; plan.needles: every body contains one of them.
local measure = require("measure")
local plan = measure.plan
local requests = {}
local turn = 0

function init()
  for _, wanted in ipairs(plan.requests) do
    requests[#requests + 1] = wrk.format(wanted.method, wanted.path, wanted.headers, wanted.body)
  end
  -- Threads begin at different places of the list.
  turn = thread_number or 0
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

local function says_so(body)
  for _, needle in ipairs(plan.needles) do
    if string.find(body, needle, 1, true) then
      return true
    end
  end
  return false
end

function response(status, _headers, body)
  if status ~= plan.status or not says_so(body) then
    measure.bad("request", status, body)
  end
end
