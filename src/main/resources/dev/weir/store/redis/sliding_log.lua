-- sliding_log.lua: remembers every admitted hit for one window.
--
-- A counter is a sorted set: one member for each check or plan that was admitted, scored by its instant, holding the sum of
-- all hits up to it and its own. By the sums everything is found with a few look-ups: what lies in the window, what must
-- leave it, what a refund takes.
--
-- Exact     whole numbers below 2^53; sums begin again with the counter.
-- Expiry    when the newest entry has left the window, plus one second, to tidy up; it decides nothing.
-- Cost      one ZREVRANGE and, of a counter that is there, one ZRANGEBYSCORE; where hits are taken also one ZADD, one
--           ZREMRANGEBYSCORE and one PEXPIRE. A refusal of several hits looks for the entry that must leave, in as many steps as
--           the number of entries has bits.
-- Mirrors   SlidingLogModel.java and SlidingLog.java; StoreAgreementIT feeds both the same hits and compares every answer.

local MEMBER, MOST_REWRITTEN = '>I8I4', 1000

local sliding_log = {}

local function entry_of(range)
  if range[1] and #range[1] == 12 then
    local sum, hits = struct.unpack(MEMBER, range[1])
    return { sum = sum, hits = hits, instant = tonumber(range[2]) }
  end
end

function sliding_log.read(c)
  local range = redis.call('ZREVRANGE', c.key, 0, 0, 'WITHSCORES')
  c.at, c.base, c.stored, c.kept, c.taken = c.now, 0, 0, 0, 0
  local newest = entry_of(range)
  c.is_stale = newest and newest.instant > c.now + c.window
  if newest and not c.is_stale then
    c.at = max(c.now, newest.instant)
    local first = entry_of(redis.call(
      'ZRANGEBYSCORE', c.key, '(' .. number_text(c.at - c.window), '+inf', 'WITHSCORES', 'LIMIT', 0, 1))
    if first then
      c.base, c.oldest = first.sum - first.hits, first
      c.stored = newest.sum - c.base
      c.newest = newest.instant
      c.kept = c.stored
    end
  end
end

-- The first entry whose sum is at least this, and its rank.
local function entry_with(c, sum)
  local first, last = 0, redis.call('ZCARD', c.key) - 1
  local found
  while first <= last do
    local middle = floor((first + last) / 2)
    local entry = entry_of(redis.call('ZRANGE', c.key, middle, middle, 'WITHSCORES'))
    if entry.sum < sum then
      first = middle + 1
    else
      last, found = middle - 1, entry
    end
  end
  return found, first
end

local function used_of_log(c)
  return c.kept + c.taken
end

function sliding_log.left(c)
  return max(0, c.limit - used_of_log(c))
end

function sliding_log.is_over(c)
  return used_of_log(c) > c.limit
end

function sliding_log.take(c, hits)
  c.taken = c.taken + hits
end

function sliding_log.give(c, hits)
  c.is_given = c.is_given or (hits > 0 and used_of_log(c) > 0)
  local of_taken = min(c.taken, hits)
  c.taken = c.taken - of_taken
  c.kept = max(0, c.kept - (hits - of_taken))
  if c.kept < c.stored and c.kept > 0 then
    c.newest = entry_with(c, c.base + c.kept).instant
  end
end

-- Hits at one instant may have later ones behind them, whose sums sink too: these are written anew. They came within the
-- moment of one request; where they are too many all the same, the charge stays, which is too strict and never too lax.
function sliding_log.give_back(c, hits, charged_at)
  if charged_at <= c.at - c.window or c.stored == 0 then
    return
  end
  local range = redis.call('ZRANGEBYSCORE', c.key, number_text(charged_at), '+inf', 'WITHSCORES')
  local entries, here = {}, 0
  for i = 1, #range, 2 do
    local entry = entry_of({ range[i], range[i + 1] })
    entries[#entries + 1] = entry
    here = here + (entry.instant == charged_at and entry.hits or 0)
  end
  local rest = min(hits, here)
  if rest == 0 or #entries > MOST_REWRITTEN then
    return
  end
  local sum = entries[1].sum - entries[1].hits
  local left = here - rest
  redis.call('ZREMRANGEBYSCORE', c.key, number_text(charged_at), '+inf')
  for _, entry in ipairs(entries) do
    local own = entry.instant == charged_at and min(left, entry.hits) or entry.hits
    left = entry.instant == charged_at and left - own or left
    if own > 0 then
      sum = sum + own
      redis.call('ZADD', c.key, number_text(entry.instant), struct.pack(MEMBER, sum, own))
    end
  end
  c.is_given = true
  sliding_log.read(c)
end

function sliding_log.reset(c)
  if c.taken > 0 then
    return c.at + c.window - c.now, 0
  end
  return c.kept > 0 and c.newest + c.window - c.now or 0, 0
end

function sliding_log.retry(c, hits)
  if hits > c.limit then
    return used_of_log(c) == 0 and c.window or (sliding_log.reset(c))
  end
  local must_leave = used_of_log(c) + hits - c.limit
  local last = c.at
  if must_leave <= c.kept then
    -- Mostly one hit must leave, and then the oldest entry is enough.
    last = must_leave <= c.oldest.hits and c.oldest.instant or entry_with(c, c.base + must_leave).instant
  end
  return last + c.window - c.now
end

function sliding_log.write(c)
  if used_of_log(c) == 0 then
    redis.call('DEL', c.key)
    return
  end
  if c.is_stale then
    redis.call('DEL', c.key)
  end
  if c.kept < c.stored then
    local cut, rank = entry_with(c, c.base + c.kept)
    local whole = cut.sum - cut.hits
    if c.kept > 0 and cut.sum > c.base + c.kept then
      redis.call('ZREMRANGEBYRANK', c.key, rank, -1)
      local own = c.base + c.kept - whole
      redis.call('ZADD', c.key, number_text(cut.instant), struct.pack(MEMBER, c.base + c.kept, own))
    else
      redis.call('ZREMRANGEBYRANK', c.key, c.kept > 0 and rank + 1 or 0, -1)
    end
  end
  if c.taken > 0 then
    local member = struct.pack(MEMBER, c.base + c.kept + c.taken, c.taken)
    redis.call('ZADD', c.key, number_text(c.at), member)
  end
  -- After a refund, too: a clock that steps back shall not bring back what has left the window.
  redis.call('ZREMRANGEBYSCORE', c.key, '-inf', number_text(c.at - c.window))
  -- Not only where hits were taken: a set whose last entry is taken away and written anew is a new one, without an expiry.
  redis.call('PEXPIRE', c.key, lifetime((sliding_log.reset(c))))
end
