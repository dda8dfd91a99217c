-- charge.lua: what a check means for its counter, whatever the algorithm: admitted or not, and what is charged.
--
-- An algorithm's file gives functions of a counter c, which holds key, window, limit, capacity, parts and now:
--
--   read(c)                      reads the state; sets c.at, the instant at which hits are counted
--   left(c), is_over(c)          hits that one check could have; whether not even 0 hits fit
--   take(c, hits)                counts hits
--   give(c, hits)                takes hits back, the newest first; says so in c.is_given
--   give_back(c, hits, at)       takes back what was charged at an instant, as far as it still weighs
--   reset(c)                     microseconds until untouched; by how much it was rounded up, in microseconds / limit
--   retry(c, hits)               microseconds until a check of so many hits would be admitted
--   value(c) or write(c)         the state as a string, or nil for none; or writes it by itself
--   load(c, state...), current(c)   where what is read depends on the limit: reads from a state, which current(c) gives; read(c)
--                                   leaves in c.held whether there was one
--
-- A reading is admitted, left, reset, slack, retry.
--
-- Mirrors   Evaluation.java; StoreAgreementIT feeds both the same hits and compares every answer.

local ALWAYS, ON_ADMIT, DRAIN = 0, 1, 2

-- By the numbers of Algorithm.java.
local ALGORITHMS = { fixed_window, sliding_window, sliding_parts, sliding_log, bucket, bucket, gcra }

local function charge(c, policy, asked, admitted, left)
  local hits = policy == ALWAYS and asked or policy == ON_ADMIT and admitted or min(asked, left)
  if hits > 0 then
    c.algorithm.take(c, hits)
    c.is_taken = true
  end
end

local function after_refund(c, locked)
  if locked > 0 then
    return 1, 0, locked, 0, 0
  end
  local reset, slack = c.algorithm.reset(c)
  return 1, c.algorithm.left(c), reset, slack, 0
end

local function ask(c, check, locked)
  local algorithm, hits, times = c.algorithm, check.hits, check.times
  if check.refund == 1 then
    algorithm.give(c, hits)
    return after_refund(c, locked)
  elseif check.refund == 2 then
    algorithm.give_back(c, hits, check.charged_at)
    return after_refund(c, locked)
  end
  local left = algorithm.left(c)
  if locked > 0 then
    charge(c, check.charge, hits * times, 0, left)
    return 0, 0, locked, 0, locked
  end
  local admitted
  if hits > 0 then
    admitted = min(times, floor(left / hits))
  else
    admitted = (algorithm.is_over(c) or check.charge == DRAIN and left == 0) and 0 or times
  end
  charge(c, check.charge, hits * times, hits * admitted, left)
  local retry = 0
  if admitted < times then
    if hits == 0 then
      retry = algorithm.retry(c, check.charge == DRAIN and 1 or 0)
    else
      retry = check.block > 0 and check.block or algorithm.retry(c, hits)
    end
  end
  local reset, slack = algorithm.reset(c)
  return admitted, left - hits * admitted, reset, slack, retry
end

-- A counter under another limit than before, within one plan. Where the state that was read depends on the limit, it is
-- read anew, or, once something was counted, taken over as it is.
local function under(c, check)
  if c.limit == check.limit and c.capacity == check.capacity then
    return c
  end
  local load = c.algorithm.load
  if load and (c.is_taken or c.is_given) then
    c.longest = max(c.longest or 0, (c.algorithm.reset(c)))
    local state = { c.algorithm.current(c) }
    c.limit, c.capacity = check.limit, check.capacity
    load(c, unpack(state))
    return c
  end
  c.limit, c.capacity = check.limit, check.capacity
  if load then
    c.algorithm.read(c)
  end
  return c
end

local function read_counter(check, now)
  local c = {
    key = check.key, algorithm = ALGORITHMS[check.algorithm], now = now, window = check.window, limit = check.limit,
    capacity = check.capacity, parts = check.parts,
  }
  c.algorithm.read(c)
  return c
end

-- How long a counter is needed: where limits drain it at rates of their own, by those of this plan, too, and by those of before
-- (without the second that lifetime() adds).
local function needed(c)
  local reset = c.algorithm.reset(c)
  if c.is_taken and c.algorithm.load then
    return max(reset, c.longest or 0, c.held and redis.call('PTTL', c.key) * 1000 - 1000000 or 0)
  end
  return reset
end

local function write_counter(c)
  if not (c.is_taken or c.is_given) then
    return
  elseif c.algorithm.write then
    c.algorithm.write(c)
  else
    write_cell(c, c.algorithm.value(c), needed(c))
  end
end
