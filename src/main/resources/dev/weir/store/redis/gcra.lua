-- gcra.lua: spaces hits evenly and lets some arrive ahead of schedule, by virtual scheduling.
--
-- A counter holds when the next hit is due, the theoretical arrival time: as the time by which it is ahead of the last
-- hit's instant, a fraction in microseconds / limit, that limit, and the instant. A fraction of another limit is rounded
-- up.
--
-- Exact     whole numbers below 2^53; larger products go through exact.lua.
-- Expiry    when the next hit is due plus one second, to tidy up; it decides nothing.
-- Cost      one GET and one SET for each counter of a check or plan.
-- Mirrors   GcraModel.java; StoreAgreementIT feeds both the same hits and compares every answer.

local gcra = {}

local function move_back(c, micros, parts)
  c.ahead, c.fraction = c.ahead - micros, c.fraction - parts
  if c.fraction < 0 then
    c.ahead, c.fraction = c.ahead - 1, c.fraction + c.limit
  end
  if c.ahead < 0 then
    c.ahead, c.fraction = 0, 0
  end
end

local function is_idle(c)
  return c.ahead == 0 and c.fraction == 0
end

function gcra.load(c, ahead, fraction, limit, instant)
  c.at, c.ahead, c.fraction = c.now, 0, 0
  if ahead and instant <= c.now + c.window then
    c.at, c.ahead, c.fraction = max(c.now, instant), ahead, fraction
    if fraction > 0 and limit ~= c.limit then
      c.ahead, c.fraction = ahead + 1, 0
    end
    move_back(c, c.at - instant, 0)
  end
end

function gcra.read(c)
  gcra.load(c, unpack_cell(redis.call('GET', c.key), '>I8I4I4I8', 24))
end

-- What was counted so far, as read() would find it.
function gcra.current(c)
  return c.ahead, c.fraction, c.limit, c.at
end

-- The hits that the schedule is ahead by, rounded up.
local function hits_ahead(c)
  local whole, over = share(c.ahead, c.limit, c.window)
  return whole + math.ceil((over + c.fraction) / c.window)
end

function gcra.left(c)
  return max(0, c.capacity - hits_ahead(c))
end

-- A limit of 0 has no schedule to be ahead of: whatever another limit left behind is too much.
function gcra.is_over(c)
  if c.limit == 0 then
    return not is_idle(c)
  end
  return hits_ahead(c) > c.capacity
end

function gcra.take(c, hits)
  local whole, over = share(c.window, hits, c.limit)
  c.ahead, c.fraction = c.ahead + whole, c.fraction + over
  if c.fraction >= c.limit then
    c.ahead, c.fraction = c.ahead + 1, c.fraction - c.limit
  end
end

function gcra.give(c, hits)
  if hits > 0 and c.limit > 0 then
    c.is_given = c.is_given or not is_idle(c)
    move_back(c, share(c.window, hits, c.limit))
  end
end

function gcra.give_back(c, hits, charged_at)
  if hits > 0 and c.limit > 0 then
    local whole, over = share(c.window, hits, c.limit)
    local still_ahead = whole - max(0, c.at - charged_at)
    if still_ahead >= 0 then
      c.is_given = c.is_given or not is_idle(c)
      move_back(c, still_ahead, over)
    end
  end
end

function gcra.reset(c)
  if is_idle(c) then
    return 0, 0
  end
  local micros = c.ahead + (c.fraction > 0 and 1 or 0) + (c.at - c.now)
  return min(MAX, micros), c.fraction > 0 and c.limit - c.fraction or 0
end

function gcra.retry(c, hits)
  if hits > c.capacity or c.limit == 0 then
    return is_idle(c) and c.window or (gcra.reset(c))
  end
  local whole, over = share(c.window, c.capacity - hits, c.limit)
  return min(MAX, c.ahead - whole + (c.fraction > over and 1 or 0) + (c.at - c.now))
end

function gcra.value(c)
  return not is_idle(c) and struct.pack('>I8I4I4I8', c.ahead, c.fraction, c.limit, c.at) or nil
end
