-- A whole sign-in in a browser that was never here: authorize, the login pages, the code, the exchange.
-- Redirects are followed and forms are sent as a browser without scripts would. Every thread has its own people.
--
-- plan: authorize, redirect_uri, token as for code_flow; people (login_name, password), threads, origin.
local measure = require("measure")
local chain = require("chain")
local redeem = require("redeem")
local plan = measure.plan
local jar = {}
local here = ""
local redeeming = false
local turn = nil

local function person()
  return plan.people[turn]
end

local function cookies()
  local pairs_of = {}
  for name, value in pairs(jar) do
    pairs_of[#pairs_of + 1] = name .. "=" .. value
  end
  return #pairs_of > 0 and table.concat(pairs_of, "; ") or nil
end

local function get(path)
  here = path
  return wrk.format("GET", path, { Cookie = cookies() })
end

local function unescaped(text)
  local plain = { amp = "&", lt = "<", gt = ">", quot = '"', ["#39"] = "'", ["#34"] = '"' }
  return (string.gsub(text, "&(#?%w+);", plain))
end

local function attribute(tag, name)
  local value = string.match(tag, "[%s]" .. name .. '="([^"]*)"')
  return value and unescaped(value)
end

-- The part of a page from the form that holds the element to the form's end.
local function form_with(body, id)
  for form in string.gmatch(body, "(<form.-</form>)") do
    if string.find(form, 'id="' .. id .. '"', 1, true) then
      return form
    end
  end
end

local function submit(form, id, value)
  local fields = {}
  for input in string.gmatch(form, "<input[^>]*>") do
    local name = attribute(input, "name")
    if name and attribute(input, "id") == id then
      fields[#fields + 1] = { name, value }
    elseif name and attribute(input, "type") == "hidden" then
      fields[#fields + 1] = { name, attribute(input, "value") or "" }
    end
  end
  local action = attribute(string.match(form, "<form[^>]*>"), "action")
  local headers = {
    Cookie = cookies(), Origin = plan.origin, ["Content-Type"] = measure.FORM, ["Sec-Fetch-Site"] = "same-origin",
  }
  return wrk.format("POST", action ~= "" and action or here, headers, measure.form(fields))
end

local function first()
  jar = {}
  turn = turn and turn + plan.threads or thread_number or 1
  if turn > #plan.people then
    turn = thread_number or 1
  end
  return get(plan.authorize)
end

local function answer_page(body)
  local form = form_with(body, "password")
  if form then
    return submit(form, "password", person().password)
  end
  form = form_with(body, "loginname")
  if form then
    return submit(form, "loginname", person().login_name)
  end
  -- The page that leads back to the application goes on by itself, there or to the provider.
  local link = string.match(body, '<a [^>]*id="return"[^>]*>')
  local address = link and attribute(link, "href")
  local code = address and redeem.code_of(address)
  if code then
    redeeming = true
    return redeem.request(code)
  end
  if address then
    return get(address)
  end
  return nil, "a page without a login form at " .. here
end

local function step(status, headers, body)
  if redeeming then
    redeeming = false
    return redeem.finish(status, body)
  end
  local name, value = string.match(measure.header(headers, "set-cookie"), "^([^=]+)=([^;]*)")
  if name then
    jar[name] = value
  end
  local code = redeem.code_in(headers)
  if code then
    redeeming = true
    return redeem.request(code)
  end
  local location = measure.header(headers, "location")
  if status >= 300 and status < 400 and location ~= "" then
    if string.sub(location, 1, #plan.origin) == plan.origin then
      location = string.sub(location, #plan.origin + 1)
    end
    if string.sub(location, 1, 1) ~= "/" then
      return nil, "sent away to " .. location
    end
    return get(location)
  end
  if status ~= 200 then
    return nil, "sign-in at " .. here
  end
  return answer_page(body)
end

chain.run(first, step)
