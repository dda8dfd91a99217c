-- fixed_window.lua: counts hits in windows aligned to the Unix epoch.
--
-- A counter holds one number, see window.lua. This file is for what plain.lua does not do: looks, refunds, other charges, locks,
-- plans.
--
-- Exact     whole numbers below 2^53, where Lua loses no precision.
-- Expiry    the window's end plus one second, to tidy up; it decides nothing.
-- Cost      one GET and one SET for each counter of a check or plan.
-- Mirrors   FixedWindowModel.java; StoreAgreementIT feeds both the same hits and compares every answer.

local fixed_window = {}

function fixed_window.read(c)
  local state = tonumber(redis.call('GET', c.key) or 0)
  if not state then
    error({ err = 'WRONGVALUE the counter holds something that is no number' })
  end
  c.number, c.count = in_force(state_of(state), c.window, c.now)
  c.at = max(c.now, c.number * c.window)
end

function fixed_window.left(c)
  return max(0, c.limit - c.count)
end

function fixed_window.is_over(c)
  return c.count > c.limit
end

function fixed_window.take(c, hits)
  c.count = min(FULL, c.count + hits)
end

function fixed_window.give(c, hits)
  c.is_given = c.is_given or (c.count > 0 and hits > 0)
  c.count = max(0, c.count - hits)
end

function fixed_window.give_back(c, hits, charged_at)
  if floor(charged_at / c.window) == c.number then
    fixed_window.give(c, hits)
  end
end

function fixed_window.reset(c)
  return (c.number + 1) * c.window - c.now, 0
end

function fixed_window.retry(c)
  return (c.number + 1) * c.window - c.now
end

function fixed_window.value(c)
  return number_text(pack(c.number, c.count))
end
