-- One request after another from a list, again and again; every answer must look as the plan says.
--
-- plan.requests: { method, path, headers, body }; plan.values: each request is there once for each of them, in place
-- of VALUE in path, headers and body; plan.status; plan.needles: every body contains one of them.
local measure = require("measure")
local plan = measure.plan
local requests = {}
local turn = 0
local answered = 0

measure.pause()

local function with_value(text, value)
  return text and (string.gsub(text, "VALUE", function() return value end))
end

local function add(wanted, value)
  local headers = {}
  for name, text in pairs(wanted.headers) do
    headers[name] = with_value(text, value)
  end
  requests[#requests + 1] = wrk.format(wanted.method, with_value(wanted.path, value), headers, with_value(wanted.body, value))
end

function init()
  for _, wanted in ipairs(plan.requests) do
    for _, value in ipairs(plan.values) do
      add(wanted, value)
    end
  end
  -- Threads begin at different places of the list.
  turn = (thread_number or 1) - 1
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
  answered = answered + 1
  measure.count(answered)
  if plan.once and answered == #requests then
    measure.finish()
  end
end
