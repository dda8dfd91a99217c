-- exact.lua: products and quotients that lose nothing, for numbers here are doubles, whole up to 2^53.
--
--   share(a, b, c) -> a * b / c rounded down, remainder       a, b: 0 to 2^53-1; c: 1 to 2^49
--   share_up(a, b, c) -> a * b / c rounded up
--
-- Where a * b is too large it is taken digit by digit, as in long division by hand: a digit has so many bits that
-- remainder and digit together stay below 2^53. Results above 2^53-1 are 2^53-1 with nothing over.
--
-- Mirrors   Exact.java; ScriptArithmeticIT feeds both the same numbers and compares every answer.

local MAX = 9007199254740991 -- 2^53 - 1

local floor, min, max = math.floor, math.min, math.max

local function share(a, b, c)
  local product = a * b
  if product <= MAX then
    local whole = floor(product / c)
    return whole, product - whole * c
  end
  local times = floor(a / c)
  local rest = a - times * c
  if times * b > MAX then
    return MAX, 0
  end
  local digit = c < 68719476736 and 65536 or 8 -- 2^36
  local scale = 1
  while scale * digit <= b do
    scale = scale * digit
  end
  local whole, over = 0, 0
  while scale >= 1 do
    over = over * digit + rest * (floor(b / scale) % digit)
    local quotient = floor(over / c)
    over = over - quotient * c
    whole = whole * digit + quotient
    scale = scale / digit
  end
  whole = whole + times * b
  if whole > MAX then
    return MAX, 0
  end
  return whole, over
end

local function share_up(a, b, c)
  local whole, over = share(a, b, c)
  return over == 0 and whole or whole + 1
end
