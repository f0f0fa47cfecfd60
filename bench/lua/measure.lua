-- What every script shares: the plan, the checks of answers, and the one line of results at the end.
--
-- The plan is a Lua table written by `bench.plans` (the file BENCH_PLAN names). wrk counts statuses above 399
-- and socket errors; an answer that has the right status and says the wrong thing is counted here.
local ffi = require("ffi")
ffi.cdef [[
typedef struct { long tv_sec; long tv_nsec; } bench_time;
int clock_gettime(int clock, bench_time *into);
int getpid(void);
int kill(int process, int signal);
]]

local measure = { plan = dofile(os.getenv("BENCH_PLAN")) }
local MONOTONIC = 1
local INTERRUPT = 2
local instant = ffi.new("bench_time")

-- Globals of a thread, because only those can be read when everything is over.
bad_answers = 0
first_bad = ""

-- Microseconds of a clock that never goes back.
function measure.now()
  ffi.C.clock_gettime(MONOTONIC, instant)
  return tonumber(instant.tv_sec) * 1e6 + tonumber(instant.tv_nsec) / 1e3
end

-- Ends the run before its time, with its results.
function measure.finish()
  ffi.C.kill(ffi.C.getpid(), INTERRUPT)
end

-- Ends a run after as many operations as the plan wants, exactly, where it names a number: one connection then.
function measure.count(answered)
  if answered == measure.plan.times then
    wrk.thread:stop()
    measure.finish()
  end
end

-- Lets every connection pause before a request, where the plan has a mean: independent clients arrive so. wrk waits in
-- whole milliseconds and leaves the pause out of the latency.
function measure.pause(is_busy)
  local mean = measure.plan.pause_us
  if not mean then
    return
  end
  local seeded = false
  function delay()
    if not seeded then
      math.randomseed(measure.now() % 2 ^ 31 + (thread_number or 0))
      seeded = true
    end
    return is_busy and is_busy() and 0 or math.floor(-math.log(1 - math.random()) * mean / 1e3 + 0.5)
  end
end

function measure.bad(what, status, body)
  bad_answers = bad_answers + 1
  if first_bad == "" then
    first_bad = what .. ": " .. tostring(status) .. " " .. string.sub(body or "", 1, 300)
  end
end

-- A header by its lower-case name: services write names their own way.
function measure.header(headers, name)
  for given, value in pairs(headers) do
    if string.lower(given) == name then
      return value
    end
  end
  return ""
end

function measure.escape(text)
  return (string.gsub(text, "[^%w%-_%.~]", function(char)
    return string.format("%%%02X", string.byte(char))
  end))
end

function measure.form(pairs_in_order)
  local fields = {}
  for _, pair in ipairs(pairs_in_order) do
    fields[#fields + 1] = measure.escape(pair[1]) .. "=" .. measure.escape(pair[2])
  end
  return table.concat(fields, "&")
end

measure.FORM = "application/x-www-form-urlencoded"

local function quoted(text)
  return '"' .. string.gsub(text, '[%c"\\\128-\255]', function(char)
    return string.format("\\u%04x", string.byte(char))
  end) .. '"'
end

local function members(values)
  local parts = {}
  for _, pair in ipairs(values) do
    local value = pair[2]
    if type(value) == "number" then
      value = string.format("%.3f", value)
    elseif type(value) == "string" then
      value = quoted(value)
    else
      value = members(value)
    end
    parts[#parts + 1] = quoted(pair[1]) .. ":" .. value
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

local threads = {}

-- wrk calls it for every thread before the first request.
function setup(thread)
  threads[#threads + 1] = thread
  thread:set("thread_number", #threads)
end

local function of_threads(name, empty, join)
  local result = empty
  for _, thread in ipairs(threads) do
    result = join(result, thread:get(name))
  end
  return result
end

local function operation_times()
  local times = {}
  for _, thread in ipairs(threads) do
    for _, time in ipairs(thread:get("operation_times") or {}) do
      times[#times + 1] = time
    end
  end
  table.sort(times)
  return times
end

local function share(times, part)
  return times[math.max(1, math.ceil(#times * part))] or 0
end

-- What chains hold now, for the next run.
local function write_state()
  local file = assert(io.open(measure.plan.state, "w"))
  for _, thread in ipairs(threads) do
    for _, line in ipairs(thread:get("held") or {}) do
      file:write(line, "\n")
    end
  end
  file:close()
end

-- wrk calls it once, when every thread has ended.
function done(summary, latency, _requests)
  local plus = function(a, b) return a + (b or 0) end
  local operations = of_threads("operations", 0, plus)
  local p50, p95, p99 = latency:percentile(50), latency:percentile(95), latency:percentile(99)
  if operations > 0 then
    local times = operation_times()
    p50, p95, p99 = share(times, 0.50), share(times, 0.95), share(times, 0.99)
  end
  local result = {
    { "duration_us", summary.duration },
    { "requests", summary.requests },
    { "operations", operations > 0 and operations or summary.requests },
    { "finished_requests", operations > 0 and of_threads("finished_requests", 0, plus) or summary.requests },
    { "p50_us", p50 },
    { "p95_us", p95 },
    { "p99_us", p99 },
    { "errors", {
      { "connect", summary.errors.connect },
      { "read", summary.errors.read },
      { "write", summary.errors.write },
      { "timeout", summary.errors.timeout },
      { "status", summary.errors.status },
      { "answer", of_threads("bad_answers", 0, plus) },
    } },
    { "first_bad", of_threads("first_bad", "", function(a, b) return a ~= "" and a or b end) },
  }
  if measure.plan.state then
    write_state()
  end
  io.write("\nBENCH " .. members(result) .. "\n")
end

return measure
