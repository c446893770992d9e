-- Closures, coroutines, errors, goto, integer and float arithmetic.
local function counter()
	local n = 0
	return function() n = n + 1 return n end, function() return n end
end
local up, get = counter()
up() up()
print(get(), up(), get())
local fs = {}
for i = 1, 3 do
	fs[i] = function() i = i * 10 return i end
end
print(fs[1](), fs[1](), fs[2](), fs[3]())

local function permutations(list, n)
	n = n or #list
	if n <= 1 then
		coroutine.yield(list)
		return
	end
	for i = 1, n do
		list[n], list[i] = list[i], list[n]
		permutations(list, n - 1)
		list[n], list[i] = list[i], list[n]
	end
end
local count, last = 0
for p in coroutine.wrap(function() permutations({ "a", "b", "c", "d", "e", "f" }) end) do
	count, last = count + 1, table.concat(p)
end
print(count, last)
local co = coroutine.create(function(a, b)
	local c = coroutine.yield(a + b)
	local d, e = coroutine.yield(c * 2)
	error({ code = d + e })
end)
print(coroutine.resume(co, 1, 2))
print(coroutine.resume(co, 10))
local ok, problem = coroutine.resume(co, 3, 4)
print(ok, type(problem), problem.code, coroutine.status(co), coroutine.resume(co))
print(coroutine.isyieldable(), coroutine.running() ~= nil, select(2, coroutine.close(coroutine.create(print))))

print(pcall(error, "plain"), pcall(error), pcall(function() error("with level", 2) end))
print(select(2, pcall(function() local x = nil; return x.field end)))
print(select(2, pcall(function() return 1 + {} end)))
print(select(2, pcall(function() return #5 end)))
print(select(2, pcall(string.rep)), select(2, pcall(setmetatable, 1, 2)))
print(xpcall(function() error("deep") end, function(m) return "handled: " .. m:gsub("^.-:%d+: ", "") end))
local function recurse(n) return n == 0 and 0 or 1 + recurse(n - 1) end
print(recurse(1000), (select(2, pcall(function() return recurse(1e7) end)):match("stack overflow")))
local closed = {}
do
	local x <close> = setmetatable({}, { __close = function() closed[#closed + 1] = "x" end })
	local y <close> = setmetatable({}, { __close = function() closed[#closed + 1] = "y" end })
end
print(table.concat(closed), load("return 1 +")== nil, load("return 6 * 7")(), select(2, load("x = = 1", "chunk")))

for i = 1, 3 do
	for k = 1, 3 do
		if k == 2 then goto continue end
		io.write(i, k, " ")
		::continue::
	end
end
print()
print(math.maxinteger + 1 == math.mininteger, 1 // 0.0, -1 // 0.0, 0.0 / 0.0 ~= 0.0 / 0.0, 3 | 4, 5 ~ 1, ~0, 1 << 62, 2^0.5)
print(pcall(function() return 1 // 0 end))
print(math.type(1), math.type(1.0), math.tointeger(3.0), math.floor(-3.5), math.ceil(-3.5), math.fmod(-7, 3), math.modf(3.7))
print(math.sqrt(2), math.sin(1), math.cos(1), math.tan(1), math.exp(1), math.log(10), math.log(8, 2), math.log(1000, 10))
print(math.asin(1), math.acos(0), math.atan(1, 2), math.abs(-3), math.max(1, 5, 3), math.min(2, 0), math.ult(1, -1))
local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
print(fib(20))
