-- sliding_window.lua: counts hits in a window that moves with the clock, by two counters.
--
-- A counter holds three numbers: the window's number, its count and the count of the window before. Of the window before
-- only a piece is still in view; its hits are taken to have come evenly, so that piece's share of them counts, rounded up.
--
-- Exact     whole numbers below 2^53, where Lua loses no precision.
-- Expiry    the end of the next window plus one second, to tidy up; it decides nothing.
-- Cost      one GET and one SET for each counter of a check or plan.
-- Mirrors   SlidingWindowModel.java with one part; StoreAgreementIT feeds both the same hits and compares every answer.

local sliding_window = {}

function sliding_window.read(c)
  local value = redis.call('GET', c.key)
  local number, count, before = unpack_cell(value, '>I8I8I8', 24)
  local clock = floor(c.now / c.window)
  c.number, c.count, c.before = clock, 0, 0
  if number and number <= clock + 1 then
    c.number = max(clock, number)
    if number == c.number then
      c.count, c.before = count, before
    elseif number == c.number - 1 then
      c.before = count
    end
  end
  c.at = max(c.now, c.number * c.window)
end

local function used_of_two(c)
  return c.count + share_up(c.window - (c.at - c.number * c.window), c.before, c.window)
end

function sliding_window.left(c)
  return max(0, c.limit - used_of_two(c))
end

function sliding_window.is_over(c)
  return used_of_two(c) > c.limit
end

function sliding_window.take(c, hits)
  c.count = min(COUNTS - 1, c.count + hits)
end

local function give_in(c, field, hits)
  local given = min(c[field], hits)
  c[field] = c[field] - given
  c.is_given = c.is_given or given > 0
  return hits - given
end

function sliding_window.give(c, hits)
  give_in(c, 'before', give_in(c, 'count', hits))
end

function sliding_window.give_back(c, hits, charged_at)
  local number = floor(charged_at / c.window)
  if number == c.number then
    give_in(c, 'count', hits)
  elseif number == c.number - 1 then
    give_in(c, 'before', hits)
  end
end

function sliding_window.reset(c)
  if c.count > 0 then
    return (c.number + 2) * c.window - c.now, 0
  end
  return c.before > 0 and (c.number + 1) * c.window - c.now or 0, 0
end

function sliding_window.retry(c, hits)
  if hits > c.limit then
    local reset = sliding_window.reset(c)
    return reset > 0 and reset or c.window
  end
  local room = c.limit - hits
  local start, count, most = 0, c.before, room - c.count
  if most < 0 then
    start, count, most = c.window, c.count, room
  end
  local moved = count <= most and 0 or share_up(c.window, count - most, count)
  return max(0, start + moved - (c.at - c.number * c.window)) + c.at - c.now
end

function sliding_window.value(c)
  if c.count > 0 then
    return struct.pack('>I8I8I8', c.number, c.count, c.before)
  end
  return c.before > 0 and struct.pack('>I8I8I8', c.number - 1, c.before, 0) or nil
end
