-- sliding_parts.lua: counts hits in a window that moves with the clock, cut into parts.
--
-- A counter is a hash: n, the number of the newest part with a hit; s, the sum of the counts; and the counts of that part
-- and those before it, as many as the window has and one more, each under its number modulo their number. Of the oldest part
-- only a piece is still in view; its hits are taken to have come evenly, so that piece's share of them counts, rounded up.
--
-- Exact     whole numbers below 2^53, where Lua loses no precision.
-- Expiry    when the newest part has left the window, plus one second, to tidy up; it decides nothing.
-- Cost      one HMGET for n and s, one HSET and one PEXPIRE; of a counter that is there also an HMGET for the parts that have left
--           since the last hit and the oldest in view, one for the current part if it has hits, and an HDEL where parts have left.
--           A refund reads all parts, and so does a refusal of hits that can be admitted later.
-- Mirrors   SlidingWindowModel.java with several parts; StoreAgreementIT feeds both the same hits and compares every answer.

local sliding_parts = {}

local function field_of(c, part)
  return number_text(part % (c.parts + 1))
end

-- The counts of some parts, in order.
local function counts_of(c, first, last)
  local fields = {}
  for part = first, last do
    fields[#fields + 1] = field_of(c, part)
  end
  local counts = redis.call('HMGET', c.key, unpack(fields))
  for i = 1, #counts do
    counts[i] = tonumber(counts[i] or 0)
  end
  return counts
end

function sliding_parts.read(c)
  local head = redis.call('HMGET', c.key, 'n', 's')
  c.width = c.window / c.parts
  local clock = floor(c.now / c.width)
  local newest, sum = head[1] and tonumber(head[1]), tonumber(head[2] or 0)
  c.has_fields = head[1]
  c.part, c.sum, c.oldest, c.count = clock, 0, 0, 0
  if newest and newest <= clock + c.parts then
    c.part = max(clock, newest)
    local moved = c.part - newest
    if moved <= c.parts then
      local counts = counts_of(c, newest - c.parts, c.part - c.parts)
      c.oldest = table.remove(counts)
      for _, left in ipairs(counts) do
        sum = sum - left
      end
      c.sum, c.newest = sum, newest
      c.count = moved == 0 and counts_of(c, newest, newest)[1] or 0
    end
  end
  c.at = max(c.now, c.part * c.width)
end

-- All counts in view, the oldest first: for what needs to know more than the sum.
local function all_of(c)
  if not c.counts then
    local first = c.part - c.parts
    c.counts = {}
    for part = first, c.part do
      c.counts[part - first + 1] = 0
    end
    if c.newest then
      for i, count in ipairs(counts_of(c, first, c.newest)) do
        c.counts[i] = count
      end
    end
    c.counts[c.parts + 1] = c.count
  end
  return c.counts
end

local function position(c)
  return c.at - c.part * c.width
end

local function used_of_parts(c)
  return c.sum - c.oldest + share_up(c.width - position(c), c.oldest, c.width)
end

function sliding_parts.left(c)
  return max(0, c.limit - used_of_parts(c))
end

function sliding_parts.is_over(c)
  return used_of_parts(c) > c.limit
end

local function change(c, index, by)
  c.sum = c.sum + by
  if c.counts then
    c.counts[index] = c.counts[index] + by
  end
  if index == 1 then
    c.oldest = c.oldest + by
  elseif index == c.parts + 1 then
    c.count = c.count + by
  end
end

function sliding_parts.take(c, hits)
  change(c, c.parts + 1, min(COUNTS - 1 - c.count, hits))
end

local function give_in_part(c, index, hits)
  local given = min(all_of(c)[index], hits)
  change(c, index, -given)
  c.is_given = c.is_given or given > 0
  return hits - given
end

function sliding_parts.give(c, hits)
  for index = c.parts + 1, 1, -1 do
    hits = give_in_part(c, index, hits)
  end
end

function sliding_parts.give_back(c, hits, charged_at)
  local index = c.parts + 1 - (c.part - floor(charged_at / c.width))
  if index >= 1 and index <= c.parts + 1 then
    give_in_part(c, index, hits)
  end
end

-- The number of the newest part with a hit in it, or nil.
local function newest_of(c)
  if c.count > 0 then
    return c.part
  elseif c.sum == 0 then
    return nil
  elseif not c.counts then
    return c.newest
  end
  for index = c.parts, 1, -1 do
    if c.counts[index] > 0 then
      return c.part - c.parts + index - 1
    end
  end
end

function sliding_parts.reset(c)
  local newest = newest_of(c)
  return newest and (newest + c.parts + 1) * c.width - c.now or 0, 0
end

function sliding_parts.retry(c, hits)
  if hits > c.limit then
    local reset = sliding_parts.reset(c)
    return reset > 0 and reset or c.window
  end
  local counts, room = all_of(c), c.limit - hits
  local oldest, whole = 1, c.sum - c.oldest
  while whole > room do
    oldest = oldest + 1
    whole = whole - counts[oldest]
  end
  local count, most = counts[oldest], room - whole
  local moved = count <= most and 0 or share_up(c.width, count - most, count)
  return max(0, (oldest - 1) * c.width + moved - position(c)) + c.at - c.now
end

-- Sets and takes away fields: those of the parts that have left, but the current part has the last one's; or all of them,
-- where all are known.
function sliding_parts.write(c)
  local newest = newest_of(c)
  if not newest then
    redis.call('DEL', c.key)
    return
  end
  local set, gone = { 'n', number_text(newest), 's', number_text(c.sum) }, {}
  local function put(part, count)
    if count > 0 then
      set[#set + 1] = field_of(c, part)
      set[#set + 1] = number_text(count)
    else
      gone[#gone + 1] = field_of(c, part)
    end
  end
  if c.counts or c.has_fields and not c.newest then
    for index, count in ipairs(all_of(c)) do
      put(c.part - c.parts + index - 1, count)
    end
  else
    for part = c.newest and c.newest - c.parts or c.part, c.part - c.parts - 2 do
      put(part, 0)
    end
    put(c.part, c.count)
  end
  redis.call('HSET', c.key, unpack(set))
  if #gone > 0 and c.has_fields then
    redis.call('HDEL', c.key, unpack(gone))
  end
  if c.is_taken then
    redis.call('PEXPIRE', c.key, lifetime((sliding_parts.reset(c))))
  end
end
