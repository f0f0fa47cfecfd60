-- A new user with every request.
--
-- plan: path, headers, body, in which NAME is put before what makes the run's names its own.
local measure = require("measure")
local plan = measure.plan
local turn = 0
local answered = 0

measure.pause()

function request()
  turn = turn + 1
  local body = string.gsub(plan.body, "NAME", "u" .. (thread_number or 0) .. "-" .. turn .. "-")
  return wrk.format("POST", plan.path, plan.headers, body)
end

function response(status, _headers, body)
  if status ~= 200 or not string.find(body, '"userId"', 1, true) then
    measure.bad("create", status, body)
  end
  answered = answered + 1
  measure.count(answered)
end
