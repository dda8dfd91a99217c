-- gcra.lua: spaces hits evenly and lets some arrive ahead of schedule, by virtual scheduling.
--
-- A counter holds when the next hit is due, the theoretical arrival time: as the time by which it is ahead of the last
-- hit's instant, a fraction in microseconds / limit, that limit, and the instant. Another limit reads the same hits, for it
-- takes the time as so many intervals of its own. Where those have no length (limit 0) or would take longer than 2^53 us, the
-- time stays in the scale of the limit that counted it, and nothing fits until it is over.
--
-- Exact     whole numbers below 2^53; larger products go through exact.lua.
-- Expiry    when the next hit is due plus one second, to tidy up. A limit whose hits are due sooner leaves the time of the one
--           that asked before; what it adds is forgotten at its own rate, and only there expiry decides.
-- Cost      one GET and one SET for each counter of a check or plan, and one PTTL where there was one.
-- Mirrors   GcraModel.java; StoreAgreementIT feeds both the same hits and compares every answer.

local gcra = {}

local function is_idle(c)
  return c.ahead == 0 and c.fraction == 0
end

local function move_back(c, micros, parts)
  c.ahead, c.fraction = c.ahead - micros, c.fraction - parts
  if c.fraction < 0 then
    c.ahead, c.fraction = c.ahead - 1, c.fraction + c.limit
  end
  if c.ahead < 0 then
    c.ahead, c.fraction = 0, 0
  end
  if is_idle(c) then
    c.scale = c.limit
  end
end

-- Whether what is counted here cannot be told in intervals of this limit.
local function is_foreign(c)
  return c.scale ~= c.limit
end

local function rescale(c)
  if is_foreign(c) and c.limit > 0 then
    local whole, over = share(c.ahead, c.scale, c.limit)
    over = over + c.fraction
    whole = whole + floor(over / c.limit)
    if whole < MAX then
      c.ahead, c.fraction, c.scale = whole, over % c.limit, c.limit
    end
  end
end

function gcra.load(c, ahead, fraction, limit, instant)
  c.at, c.ahead, c.fraction, c.scale = c.now, 0, 0, c.limit
  if ahead and instant <= c.now + c.window then
    c.at, c.ahead, c.fraction, c.scale = max(c.now, instant), ahead, fraction, limit
    rescale(c)
    move_back(c, c.at - instant, 0)
  end
end

function gcra.read(c)
  c.held = redis.call('GET', c.key)
  gcra.load(c, unpack_cell(c.held, '>I8I4I4I8', 24))
end

-- What was counted so far, as read() would find it.
function gcra.current(c)
  return c.ahead, c.fraction, c.scale, c.at
end

-- The hits that the schedule is ahead by, rounded up.
local function hits_ahead(c)
  local whole, over = share(c.ahead, c.limit, c.window)
  return whole + math.ceil((over + c.fraction) / c.window)
end

function gcra.left(c)
  return is_foreign(c) and 0 or max(0, c.capacity - hits_ahead(c))
end

function gcra.is_over(c)
  return is_foreign(c) or hits_ahead(c) > c.capacity
end

function gcra.take(c, hits)
  local whole, over = share(c.window, hits, c.limit)
  c.ahead, c.fraction = c.ahead + whole, c.fraction + over
  if c.fraction >= c.limit then
    c.ahead, c.fraction = c.ahead + 1, c.fraction - c.limit
  end
end

function gcra.give(c, hits)
  if hits > 0 and c.limit > 0 and not is_foreign(c) then
    c.is_given = c.is_given or not is_idle(c)
    move_back(c, share(c.window, hits, c.limit))
  end
end

function gcra.give_back(c, hits, charged_at)
  if hits > 0 and c.limit > 0 and not is_foreign(c) then
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
  return min(MAX, micros), c.fraction > 0 and c.scale - c.fraction or 0
end

function gcra.retry(c, hits)
  if hits > c.capacity or c.limit == 0 or is_foreign(c) then
    return is_idle(c) and c.window or (gcra.reset(c))
  end
  local whole, over = share(c.window, c.capacity - hits, c.limit)
  return min(MAX, c.ahead - whole + (c.fraction > over and 1 or 0) + (c.at - c.now))
end

function gcra.value(c)
  return not is_idle(c) and struct.pack('>I8I4I4I8', c.ahead, c.fraction, c.scale, c.at) or nil
end
