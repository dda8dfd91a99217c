-- clock.lua: the one instant of a call.
--
--   clock() -> microseconds since the Unix epoch, by Redis's own clock, which is the only clock that counts
--
-- A part of its own, so that a test can put another in its place; production has only this one.

local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
