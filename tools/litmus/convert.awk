# Litmus tests to one C program: awk -v list=LIST -f convert.awk FILE.litmus... >PROGRAM.c
#
# The program runs test number argv[1] and asserts that its condition does not hold; argv[2], if given, is the number of the
# part of the condition that is left out. LIST gets a line for each test: number, name, parts of the condition, models
# that allow it. tests/README.md describes the language.

function complain(text)
{
	print FILENAME ":" FNR ": " text >"/dev/stderr"
	failed = 1
}

function trim(s)
{
	gsub(/^[ \t]+|[ \t]+$/, "", s)
	return s
}

function is_location(s) { return s ~ /^[u-z]$/ }
function is_register(s) { return s ~ /^[a-h][0-9]?$/ }
function is_mutex(s) { return s ~ /^[mn]$/ }
function is_value(s) { return s ~ /^[0-9]+$/ || is_register(s) }

# The order after the dot of "x.rel"; "" if there is none.
function order_of(s)
{
	if (s !~ /\./)
		return ""
	sub(/^[^.]*\./, "", s)
	if (!(s in orders))
		complain("no order '" s "'")
	return orders[s]
}

function without_order(s)
{
	sub(/\..*/, "", s)
	return s
}

function use_register(s)
{
	if (assigned[s]++)
		complain("register " s " is assigned twice")
}

function access(target, value, atomic)
{
	if (atomic == "")
		return target " = " value ";"
	return is_location(target) ? "__atomic_store_n(&" target ", " value ", " atomic ");" : ""
}

function load(register, location, order)
{
	use_register(register)
	return register " = " (order == "" ? location : "__atomic_load_n(&" location ", " order ")") ";"
}

# [register=]xchg(x,1), add(x,1), cas(x,0,1): relaxed unless an order is given; a compare-exchange that fails is relaxed always.
function update(register, s,    name, order, n, arguments, call)
{
	match(s, /\(.*\)$/)
	n = split(substr(s, RSTART + 1, RLENGTH - 2), arguments, /, */)
	name = substr(s, 1, RSTART - 1)
	order = order_of(name)
	if (order == "")
		order = "__ATOMIC_RELAXED"
	name = without_order(name)
	if (!is_location(arguments[1]))
		complain("no location in '" s "'")
	if (name == "xchg" && n == 2)
		call = "__atomic_exchange_n(&" arguments[1] ", " arguments[2] ", " order ")"
	else if (name == "add" && n == 2)
		call = "__atomic_fetch_add(&" arguments[1] ", " arguments[2] ", " order ")"
	else if (name == "cas" && n == 3)
		call = "CAS(&" arguments[1] ", " arguments[2] ", " arguments[3] ", " order ")"
	else
		complain("cannot read '" s "'")
	if (register == "")
		return "(void)" call ";"
	use_register(register)
	return register " = " call ";"
}

function statement(s,    words, target, value)
{
	if (s ~ /^fence\./)
		return "__atomic_thread_fence(" order_of(s) ");"
	if (s ~ /^(un)?lock [a-z]$/) {
		split(s, words, " ")
		if (!is_mutex(words[2]))
			complain("no mutex in '" s "'")
		return "pthread_mutex_" words[1] "(&" words[2] ");"
	}
	if (s ~ /^[a-z.]+\(/)
		return update("", s)
	target = trim(substr(s, 1, index(s, "=") - 1))
	value = trim(substr(s, index(s, "=") + 1))
	if (is_register(target) && value ~ /\)$/)
		return update(target, value)
	if (is_register(target) && is_location(without_order(value)))
		return load(target, without_order(value), order_of(value))
	if (is_location(without_order(target)) && is_value(value))
		return access(without_order(target), value, order_of(target))
	complain("cannot read '" s "'")
	return ""
}

# "m{x=1; a=y}" is "lock m; x=1; a=y; unlock m".
function without_sections(s)
{
	while (match(s, /[mn]\{[^{}]*\}/))
		s = substr(s, 1, RSTART - 1) "lock " substr(s, RSTART, 1) "; " substr(s, RSTART + 2, RLENGTH - 3) "; unlock " \
			substr(s, RSTART, 1) substr(s, RSTART + RLENGTH)
	return s
}

function write_thread(t, s,    n, i, statements, body)
{
	n = split(without_sections(s), statements, ";")
	for (i = 1; i <= n; i++)
		body = body " " statement(trim(statements[i]))
	printf "static void *thread_%d_%d(void *p) {%s return p; }\n", number, t, body
}

# A part names a register that a thread assigns, or a location: its value after all threads were joined.
function write_condition(s,    n, i, parts, pair, text)
{
	n = split(s, parts, /[ \t]+/)
	for (i = 1; i <= n; i++) {
		split(parts[i], pair, "=")
		if (!is_location(pair[1]) && !assigned[pair[1]])
			complain("nobody assigns '" pair[1] "'")
		if (pair[2] !~ /^[0-9]+$/)
			complain("cannot read '" parts[i] "'")
		text = text (i > 1 ? " && " : "") "(left_out == " i " || " pair[1] " == " pair[2] ")"
	}
	printf "static int condition_%d(int left_out) { (void)left_out; return %s; }\n", number, text
	return n
}

function check_models(s,    n, i, models)
{
	n = split(s, models, " ")
	for (i = 1; i <= n; i++)
		if (models[i] !~ /^(sc|tso|pso|ra|rc11)$/ && s != "-")
			complain("no model '" models[i] "'")
	if (!n)
		complain("no models; '-' if none allows it")
}

BEGIN {
	orders["rlx"] = "__ATOMIC_RELAXED"; orders["acq"] = "__ATOMIC_ACQUIRE"; orders["rel"] = "__ATOMIC_RELEASE"
	orders["ar"] = "__ATOMIC_ACQ_REL"; orders["sc"] = "__ATOMIC_SEQ_CST"
	print "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>"
	print "static int u, v, w, x, y, z;"
	for (i = 0; i < 8; i++) {
		c = substr("abcdefgh", i + 1, 1)
		printf "static int %s", c
		for (k = 0; k < 10; k++)
			printf ", %s%d", c, k
		print ";"
	}
	print "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;"
	print "#define CAS(p, old, new, order) ({ \\\n\tint found = old; \\"
	print "\t__atomic_compare_exchange_n(p, &found, new, 0, order, __ATOMIC_RELAXED); \\\n\tfound; \\\n})"
}

/^[ \t]*(#|$)/ { next }

{
	if (split($0, fields, /[ \t]+:[ \t]+/) != 4) {
		complain("not NAME : THREADS : CONDITION : MODELS")
		next
	}
	number++
	split("", assigned)
	name = trim(fields[1])
	if (names[name]++)
		complain("two tests '" name "'")
	check_models(trim(fields[4]))
	threads = split(fields[2], texts, /\|\|/)
	if (threads > 4)
		complain("more than 4 threads")
	row[number] = ""
	for (i = 1; i <= threads; i++) {
		write_thread(i, texts[i])
		row[number] = row[number] "thread_" number "_" i ", "
	}
	parts = write_condition(trim(fields[3]))
	print number, name, parts, trim(fields[4]) >list
}

END {
	if (failed || !number)
		exit 2
	print "static const struct {\n\tvoid *(*threads[5])(void *);\n\tint (*condition)(int);\n} tests[] = {"
	for (i = 1; i <= number; i++)
		printf "\t{ { %s0 }, condition_%d },\n", row[i], i
	print "};\nint main(int argc, char **argv)\n{"
	print "\tint test = atoi(argv[1]) - 1, left_out = argc > 2 ? atoi(argv[2]) : 0, count = 0;\n\tpthread_t ids[4];"
	print "\tfor (; tests[test].threads[count]; count++)"
	print "\t\tpthread_create(&ids[count], 0, tests[test].threads[count], 0);"
	print "\tfor (int i = 0; i < count; i++)\n\t\tpthread_join(ids[i], 0);"
	print "\tassert(!tests[test].condition(left_out));\n\treturn 0;\n}"
}
