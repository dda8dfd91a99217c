-- cell.lua: what the algorithms' files share to read and write one counter.

local function number_text(number)
  return string.format('%.0f', number)
end

-- Takes the answer of GET apart: the numbers, or nothing where there is no counter.
local function unpack_cell(value, format, size)
  if not value then
    return nil
  elseif #value ~= size then
    error({ err = 'WRONGVALUE the counter holds something that is not of this script' })
  end
  return struct.unpack(format, value)
end

-- Writes a counter whose state is one string: with a new lifetime if hits were taken, else with its own.
local function write_cell(c, value, reset)
  if not value then
    redis.call('DEL', c.key)
  elseif c.is_taken then
    redis.call('SET', c.key, value, 'PX', lifetime(reset))
  else
    redis.call('SET', c.key, value, 'KEEPTTL')
  end
end
