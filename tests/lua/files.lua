-- Files: reading one that is there, writing one that is gone when the program ends.
io.stdout:setvbuf("no") -- so that both outputs are in order
print(arg[0]:match("[^/]*$"), #arg, arg[1], arg[2])
local lines = 0
for line in io.lines(arg[0]) do
	lines = lines + 1
	if lines == 1 then print(line) end
end
print(lines > 10)
local f = assert(io.open("everett-lua-test", "w"))
print(io.type(f), f:seek("cur"), io.type(f:write("first line\n", 42, " ", 1.5, "\n", ("x"):rep(5000), "\n")), f:seek("end"))
print(f:close(), io.type(f), pcall(f.write, f, "more"))
f = assert(io.open("everett-lua-test"))
print(f:read(), f:read("n", "n"), f:read("L"), #f:read("l"), f:read(), f:read(0))
print(f:seek("set", 6), f:read(4), f:read(1), f:read("a"):sub(1, 5))
f:close()
f = assert(io.open("everett-lua-test", "r+"))
f:write("FIRST")
f:seek("end")
f:write("appended\n")
f:close()
for line in io.lines("everett-lua-test") do
	io.write(#line, ":", line:sub(1, 12), ";")
end
print()
print(os.rename("everett-lua-test", "everett-lua-other"), io.open("everett-lua-test"))
print(os.remove("everett-lua-other"), os.remove("everett-lua-other"))
print(io.open("/nowhere/at-all"), io.open("no-such-file", "r"))
print(pcall(io.open, "x", "bad mode"))
local t = io.tmpfile()
t:setvbuf("full", 1024)
t:write("temporary")
t:seek("set")
print(t:read("a"))
print(os.getenv("EVERETT_LUA_TEST"), os.getenv("NO_SUCH_VARIABLE"))
print(os.date("!%Y-%m-%d %H:%M:%S", 86400), os.time({ year = 2020, month = 1, day = 1, hour = 12 }) > 0)
print(type(os.clock()), type(os.time()), os.difftime(10, 4), os.setlocale(), os.setlocale("C"))
io.stderr:write("to standard error\n")
io.write("from input: ", io.read("n"), " ", io.read(), " ", io.read("a"), "\n")
print(require == nil, package.config:sub(1, 1), pcall(require, "no.such.module") == false)
print(loadfile("no-such-file"), dofile == nil)
