-- bucket.lua: a bucket that is filled, or leaks, evenly: token_bucket and leaky_bucket.
--
-- A counter holds three numbers: the level (hits not yet earned back, or not yet leaked), what has sunk of the next whole
-- hit, in microseconds of the window, and the instant for which both hold. None of them speaks of the limit.
--
-- Exact     whole numbers below 2^53; larger products go through exact.lua.
-- Expiry    when the level has sunk to nothing, plus one second, to tidy up. A limit that lets it sink sooner leaves the time
--           of the one that asked before; what it adds is forgotten at its own rate, and only there expiry decides.
-- Cost      one GET and one SET for each counter of a check or plan, and one PTTL where there was one.
-- Mirrors   BucketModel.java; StoreAgreementIT feeds both the same hits and compares every answer.

local bucket = {}

function bucket.load(c, level, fraction, instant)
  c.at, c.level, c.fraction = c.now, 0, 0
  if level and instant <= c.now + c.window then
    -- A limit of 0 lets nothing leak, and its time shall not be lost to a limit that comes after it.
    c.at = c.limit == 0 and instant or max(c.now, instant)
    local earned, over = share(c.at - instant, c.limit, c.window)
    over = over + fraction
    if over >= c.window then
      earned, over = earned + 1, over - c.window
    end
    if level > earned then
      c.level, c.fraction = level - earned, over
    end
  end
end

function bucket.read(c)
  c.held = redis.call('GET', c.key)
  bucket.load(c, unpack_cell(c.held, '>I8I8I8', 24))
end

-- What was counted so far, as read() would find it.
function bucket.current(c)
  return c.level, c.fraction, c.at
end

function bucket.left(c)
  return max(0, c.capacity - c.level)
end

function bucket.is_over(c)
  return c.level > c.capacity
end

function bucket.take(c, hits)
  c.level = c.level + hits
end

function bucket.give(c, hits)
  c.is_given = c.is_given or (hits > 0 and c.level > 0)
  c.level = max(0, c.level - hits)
  if c.level == 0 then
    c.fraction = 0
  end
end

function bucket.give_back(c, hits, charged_at)
  local earned, over = share(max(0, c.at - charged_at), c.limit, c.window)
  if c.level == 0 or earned >= hits then
    return
  end
  c.is_given = true
  c.level, c.fraction = c.level - (hits - earned), c.fraction - over
  if c.fraction < 0 then
    c.level, c.fraction = c.level + 1, c.fraction + c.window
  end
  if c.level <= 0 then
    c.level, c.fraction = 0, 0
  end
end

-- The time in which the level sinks by so many hits, and what is over of it in microseconds / limit.
local function sunk(c, hits)
  local whole, over = share(c.window, hits, c.limit)
  whole, over = whole - floor(c.fraction / c.limit), over - c.fraction % c.limit
  if over < 0 then
    return whole - 1, over + c.limit
  end
  return whole, over
end

function bucket.reset(c)
  if c.level == 0 then
    return 0, 0
  elseif c.limit == 0 then
    return c.window, 0
  end
  local whole, over = sunk(c, c.level)
  return min(MAX, (over > 0 and whole + 1 or whole) + (c.at - c.now)), over > 0 and c.limit - over or 0
end

function bucket.retry(c, hits)
  if hits > c.capacity or c.limit == 0 then
    return c.level == 0 and c.window or (bucket.reset(c))
  end
  local whole, over = sunk(c, c.level + hits - c.capacity)
  return min(MAX, (over > 0 and whole + 1 or whole) + (c.at - c.now))
end

function bucket.value(c)
  return c.level > 0 and struct.pack('>I8I8I8', c.level, c.fraction, c.at) or nil
end
