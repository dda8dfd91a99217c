-- clock.lua: the one instant of a call, and how long Redis keeps what a call writes.
--
--   clock()            -> microseconds since the Unix epoch, by Redis's own clock, which is the only clock that counts
--   lifetime(micros)   -> milliseconds as text, after which Redis may tidy up: never before the state is as good as none
--
-- A part of its own, so that a test can put another in its place; production has only this one.

local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

local function lifetime(micros)
  return string.format('%.0f', math.ceil(micros / 1000) + 1000)
end
