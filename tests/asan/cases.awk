# Memory errors and their correct twins as one C program. A case is a line of it: two functions, of which the first goes one
# element too far, and the second uses the last one that there is. Printed beside it, into the file LIST: its line, its name, and
# what AddressSanitizer's kind must be in Everett's words, or "none" if neither is to complain.

function emit(name, wrong, right, kind) {
	n++
	# The program's own lines come first; `line` is the one being printed.
	printf "static void wrong%d(void) { %s }\n", n, wrong
	printf "%d %s wrong %s\n", ++line, name, kind >LIST
	printf "static void right%d(void) { %s }\n", n, right
	printf "%d %s right none\n", ++line, name >LIST
}

function head(text) {
	print text
	line++
}

# The number N as a constant of the program, or as a value that the compiler does not know.
function number(value, variable) {
	return variable ? "V(" value ")" : value
}

# What comes before an access to an array `a` of `count` elements of `type` in such a place.
function array(place, type, count) {
	if (place == "local")
		return type " a[" count "] = { 0 };"
	if (place == "nested")
		return "{} { " type " a[" count "] = { 0 }, other[2] = { 0 }; SINK(other[1]);"
	if (place == "static")
		return "static " type " a[" count "];"
	if (place == "global")
		return type " *a = global_" type "_" count ";"
	if (place == "heap")
		return type " *a = calloc(" count ", sizeof *a);"
	if (place == "last")
		return "struct { char c; " type " a[" count "]; } s = { 0 }; " type " *a = s.a;"
	if (place == "member")
		return "struct { " type " a[" count "]; } s = { 0 };"
	if (place == "heap_member")
		return "struct { " type " a[" count "]; } *s = calloc(1, sizeof *s); " type " *a = s->a;"
	if (place == "vla")
		return type " a[V(" count ")]; memset(a, 0, sizeof a);"
	if (place == "alloca")
		return type " *a = __builtin_alloca(" count " * sizeof *a); memset(a, 0, " count " * sizeof *a);"
	if (place == "literal")
		return type " *a = (" type "[" count "]){ 0 };"
	if (place == "tls")
		return "static _Thread_local " type " a[" count "];"
}

function finish(place) {
	if (place == "heap")
		return " free(a);"
	if (place == "heap_member")
		return " free(s);"
	return place == "nested" ? " }" : ""
}

# An access to element `at`, as index or through a pointer.
function access_to(place, type, at, write, form,    element) {
	element = (place == "member" ? "s.a" : "a")
	if (form == 0)
		element = element "[" at "]"
	else if (form == 1)
		element = "*(" element " + " at ")"
	else if (form == 2)
		return type " *p = " element "; p += " at "; " (write ? "*p = 1;" : "SINK(*p);")
	else
		return type " *p = " element "; p = p + " at " - 1; p++; " (write ? "*p += 1;" : "SINK(p[0]);")
	return write ? element " = 1;" : "SINK(" element ");"
}

function arrays(    places, types, np, nt, i, j, write, variable, before, form, begin, end) {
	np = split("local nested static global heap last member heap_member vla alloca literal tls", places)
	nt = split("char short int long wide", types)
	for (i = 1; i <= np; i++)
		for (j = 1; j <= nt; j++)
			for (write = 0; write < 2; write++)
				for (variable = 0; variable < 2; variable++)
					for (before = 0; before < 2; before++) {
						if (before && places[i] == "last")
							continue
						form = (i + j + write + 2 * variable + before) % 4
						begin = array(places[i], types[j], 4) " "
						end = finish(places[i])
						emit(places[i] "/" types[j] "/" (write ? "write" : "read") (variable ? "/variable" : "/constant") (before ? "/before" : "/behind"),
						     begin access_to(places[i], types[j], number(before ? -1 : 4, variable), write, form) end,
						     begin access_to(places[i], types[j], number(before ? 0 : 3, variable), write, form) end,
						     "out-of-bounds")
					}
}

# An array of arrays: beyond all of it, and within it but beyond a row, which is not an error that either looks for.
function rows(    j, types, nt, begin) {
	nt = split("char short int long wide", types)
	for (j = 1; j <= nt; j++) {
		begin = types[j] " a[3][4] = { 0 }; "
		emit("rows/" types[j] "/write", begin "a[3][0] = 1;", begin "a[2][3] = 1;", "out-of-bounds")
		emit("rows/" types[j] "/read", begin "SINK(a[V(3)][V(0)]);", begin "SINK(a[V(2)][V(3)]);", "out-of-bounds")
		emit("rows/" types[j] "/last", begin "a[2][4] = 1;", begin "a[2][3] = 1;", "out-of-bounds")
		emit("rows/" types[j] "/within", begin "a[1][V(4)] = 1;", begin "a[1][3] = 1;", "none")
		begin = "struct { " types[j] " x, a[4], y; } s = { 0 }; "
		emit("within/" types[j] "/before", begin "s.a[V(-1)] = 1;", begin "s.x = 1;", "none")
		emit("within/" types[j] "/behind", begin "SINK(s.a[4]);", begin "SINK(s.y);", "none")
		emit("members/" types[j] "/before", begin "s.a[-2] = 1;", begin "s.a[0] = 1;", "out-of-bounds")
		emit("members/" types[j] "/behind", begin "SINK(s.a[V(5)]);", begin "SINK(s.a[V(3)]);", "out-of-bounds")
		begin = "struct { char c[3]; struct { " types[j] " a[2]; } t[2]; } s = { 0 }; "
		emit("inner/" types[j] "/write", begin "s.t[1].a[2] = 1;", begin "s.t[1].a[1] = 1;", "out-of-bounds")
		emit("inner/" types[j] "/read", begin "SINK(s.t[V(2)].a[0]);", begin "SINK(s.t[V(1)].a[0]);", "out-of-bounds")
		if (types[j] != "char") {
			begin = "char a[32] = { 0 }; "
			emit("straddles/" types[j] "/write", begin "*(" types[j] "_u *)(a + 33 - sizeof(" types[j] ")) = 1;",
			     begin "*(" types[j] "_u *)(a + 32 - sizeof(" types[j] ")) = 1;", "out-of-bounds")
			emit("straddles/" types[j] "/read", begin "SINK(*(" types[j] "_u *)(a - 1));", begin "SINK(*(" types[j] "_u *)(a + 1));", "out-of-bounds")
		}
	}
	begin = "struct pair a[2] = { 0 }, b = { 1, 2 }; "
	emit("struct/write", begin "a[2] = b;", begin "a[1] = b;", "out-of-bounds")
	emit("struct/read", begin "b = a[2]; SINK(b.x);", begin "b = a[1]; SINK(b.x);", "out-of-bounds")
	emit("struct/unused", begin "struct pair c = a[V(2)];", begin "struct pair c = a[V(1)];", "out-of-bounds")
	emit("struct/heap", "struct pair *p = calloc(1, sizeof *p + V(-1)), c = *p; free(p);", "struct pair *p = calloc(1, sizeof *p), c = *p; free(p);", "out-of-bounds")
	emit("struct/argument", begin "SINK(sum(a[V(2)]));", begin "SINK(sum(a[V(1)]));", "out-of-bounds")
	emit("struct/result", "struct pair *p = calloc(1, sizeof *p + V(-1)); *p = pair(); free(p);", "struct pair *p = calloc(1, sizeof *p); *p = pair(); free(p);", "out-of-bounds")
	emit("update/local", "int a[2] = { 0 }; a[2]++;", "int a[2] = { 0 }; a[1]++;", "out-of-bounds")
	emit("update/atomic", "_Atomic int a[2] = { 0 }; a[V(2)]++;", "_Atomic int a[2] = { 0 }; a[V(1)]++;", "out-of-bounds")
	emit("update/bits", "struct { unsigned x : 3, y : 5; } a[2] = { 0 }; a[2].y = 1;", "struct { unsigned x : 3, y : 5; } a[2] = { 0 }; a[1].y = 1;", "out-of-bounds")
	emit("ignored/local", "int a[2] = { 0 }; a[2];", "int a[2] = { 0 }; a[1];", "out-of-bounds")
	emit("ignored/heap", "int *a = calloc(2, 4); (void)a[2]; free(a);", "int *a = calloc(2, 4); (void)a[1]; free(a);", "out-of-bounds")
	emit("null/read", "int *a = V(0) ? &zero_int : NULL; SINK(*a);", "int *a = V(1) ? &zero_int : NULL; SINK(*a);", "invalid-access")
	emit("null/write", "*(int *)NULL = 1;", "int a = 1; *&a = 1; SINK(a);", "invalid-access")
}

# Memory whose life is over, and what is freed that must not be.
function lifetimes(    j, types, nt, t) {
	nt = split("char short int long wide", types)
	for (j = 1; j <= nt; j++) {
		t = types[j]
		emit("freed/" t "/read", t " *a = calloc(4, sizeof *a); free(a); SINK(a[1]);", t " *a = calloc(4, sizeof *a); SINK(a[1]); free(a);", "use-after-free")
		emit("freed/" t "/write", t " *a = calloc(4, sizeof *a); free(a); a[V(3)] = 1;", t " *a = calloc(4, sizeof *a); a[V(3)] = 1; free(a);", "use-after-free")
		emit("moved/" t, t " *a = calloc(4, sizeof *a), *b = realloc(a, 4096); a[0] = 1; free(b);", t " *a = calloc(4, sizeof *a), *b = realloc(a, 4096); b[0] = 1; free(b);", "use-after-free")
		emit("grown/" t, t " *a = calloc(4, sizeof *a); a = realloc(a, 8 * sizeof *a); a[8] = 1; free(a);", t " *a = calloc(4, sizeof *a); a = realloc(a, 8 * sizeof *a); a[7] = 1; free(a);", "out-of-bounds")
		emit("scope/" t "/read", t " *p; { " t " a[2] = { 0 }; p = a; } SINK(p[1]);", t " *p; { " t " a[2] = { 0 }; p = a; SINK(p[1]); }", "use-after-free")
		emit("scope/" t "/write", t " *p; { " t " a = 0; p = &a; } *p = 1;", t " *p; { " t " a = 0; p = &a; *p = 1; }", "use-after-free")
		emit("scope/" t "/loop", t " *p = 0; for (int i = 0; i < 3; i++) { " t " a = 0; p = &a; if (i == 1) break; } SINK(*p);",
		     t " *p = 0; for (int i = 0; i < 3; i++) { " t " a = 0; p = &a; SINK(*p); if (i == 1) break; }", "use-after-free")
		emit("returned/" t "/read", "SINK(*local_" t "());", "SINK(*kept_" t "());", "use-after-free")
		emit("returned/" t "/write", "*local_" t "() = 1;", "*kept_" t "() = 1;", "use-after-free")
	}
	emit("scope/for", "int *p; for (int i = 0; i < 2; i++) p = &i; SINK(*p);", "int *p; for (int i = 0; i < 2; i++) { p = &i; SINK(*p); }", "use-after-free")
	emit("scope/goto", "int *p; { int a = 0; p = &a; goto out; } out: SINK(*p);", "int *p; { int a = 0; p = &a; SINK(*p); goto out; } out:;", "use-after-free")
	emit("scope/switch", "int *p; switch (V(1)) { case 1: { int a = 0; p = &a; break; } default: p = &zero_int; } SINK(*p);",
	     "int *p; switch (V(1)) { case 1: { int a = 0; p = &a; SINK(*p); break; } default: p = &zero_int; }", "use-after-free")
	emit("scope/vla", "int *p; { int a[V(4)]; a[0] = 0; p = a; } SINK(*p);", "int *p; { int a[V(4)]; a[0] = 0; p = a; SINK(*p); }", "use-after-free")
	emit("returned/inline", "SINK(*inlined());", "SINK(*kept_int());", "use-after-free")
	emit("returned/array", "SINK(array()[3]);", "SINK(kept_int()[0]);", "use-after-free")
	emit("returned/string", "SINK(strlen(string()));", "SINK(strlen(\"constant\"));", "use-after-free")
	emit("freed/strlen", "char *a = strdup(\"text\"); free(a); SINK(strlen(a));", "char *a = strdup(\"text\"); SINK(strlen(a)); free(a);", "use-after-free")
	emit("freed/memset", "char *a = malloc(8); free(a); memset(a, 0, 8);", "char *a = malloc(8); memset(a, 0, 8); free(a);", "use-after-free")
	emit("freed/memcpy", "char *a = calloc(1, 8); free(a); memcpy(out, a, 8);", "char *a = calloc(1, 8); memcpy(out, a, 8); free(a);", "use-after-free")
	emit("freed/snprintf", "char *a = strdup(\"text\"); free(a); snprintf(out, 8, \"%s\", a);", "char *a = strdup(\"text\"); snprintf(out, 8, \"%s\", a); free(a);", "use-after-free")
	emit("freed/list", "struct node *l = cons(cons(0)); for (; l; l = l->next) free(l);", "struct node *l = cons(cons(0)), *next; for (; l; l = next) { next = l->next; free(l); }", "use-after-free")
	emit("twice/same", "char *a = malloc(8); free(a); free(a);", "char *a = malloc(8); free(a);", "double-free")
	emit("twice/alias", "char *a = malloc(8), *b = a; free(a); if (V(1)) free(b);", "char *a = malloc(8), *b = a; free(a); if (V(0)) free(b);", "double-free")
	emit("twice/realloc", "char *a = malloc(8), *b = realloc(a, 4096); free(b); free(a);", "char *a = malloc(8), *b = realloc(a, 4096); free(b);", "double-free")
	emit("free/local", "int a[2]; free(a);", "int *a = malloc(8); free(a);", "invalid-free")
	emit("free/global", "free(global_int_4);", "free(NULL);", "invalid-free")
	emit("free/middle", "char *a = malloc(8); free(a + V(4));", "char *a = malloc(8); free(a + V(0));", "invalid-free")
	emit("free/realloc", "char *a = malloc(8); a = realloc(a + V(1), 16); free(a);", "char *a = malloc(8); a = realloc(a + V(0), 16); free(a);", "invalid-free")
	emit("free/string", "free((void *)\"text\");", "free(strdup(\"text\"));", "invalid-free")
}

# A buffer of 16 bytes of characters in such a place: `p`. It ends in a zero unless `open`.
function buffer(place, open,    fill) {
	fill = "memset(p, 'a', 16);" (open ? "" : " p[15] = 0;") " "
	if (place == "local")
		return "char p[16]; " fill
	if (place == "global")
		return "char *p = global_char_16; " fill
	if (place == "heap")
		return "char *p = malloc(16); " fill
	if (place == "member")
		return "struct { int i; char p[16]; } s; char *p = s.p; " fill
}

# A call with $n, so many bytes, and $w, so many wide characters; or, without, of a function that stops at a zero.
function calls(file,    call, places, i, variable, wrong, right, end) {
	split("local global heap member", places)
	while ((getline call <file) > 0) {
		if (call ~ /^#|^$/)
			continue
		for (i = 1; i <= 4; i++)
			for (variable = 0; variable < 2; variable++) {
				if (call !~ /\$/ && variable)
					continue
				wrong = right = call
				gsub(/\$n/, number(17, variable), wrong)
				gsub(/\$n/, number(16, variable), right)
				gsub(/\$w/, number(5, variable), wrong)
				gsub(/\$w/, number(4, variable), right)
				end = places[i] == "heap" ? " free(p);" : ""
				emit(called(call) "/" places[i] (variable ? "/variable" : "/constant"),
				     buffer(places[i], call !~ /\$/) wrong ";" end, buffer(places[i], 0) right ";" end, "out-of-bounds")
			}
	}
}

# The name of the function: the last that is not an argument's.
function called(call) {
	sub(/^.*; /, "", call)
	sub(/^(SINK|free)\(/, "", call)
	sub(/\(.*/, "", call)
	return call
}

function overlaps() {
	emit("overlap/memcpy", "char a[16] = { 0 }; memcpy(a + 1, a, V(8));", "char a[16] = { 0 }; memcpy(a + 8, a, V(8));", "invalid-access")
	emit("overlap/constant", "char a[16] = { 0 }; memcpy(a, a + 4, 8);", "char a[16] = { 0 }; memcpy(a, a + 8, 8);", "invalid-access")
	emit("overlap/strcpy", "char a[16] = \"text\"; strcpy(a + 2, a);", "char a[16] = \"text\"; strcpy(a + 5, a);", "invalid-access")
	emit("overlap/strcat", "char a[16] = \"text\"; strcat(a, a + 1);", "char a[16] = \"text\"; strcat(a, \"more\");", "invalid-access")
	emit("overlap/strncpy", "char a[16] = \"text\"; strncpy(a + 2, a, 4);", "char a[16] = \"text\"; strncpy(a + 5, a, 4);", "invalid-access")
	emit("overlap/strncat", "char a[16] = \"text\"; strncat(a, a + 1, 3);", "char a[16] = \"text\"; strncat(a, \"more\", 3);", "invalid-access")
	emit("overlap/move", "char a[16] = { 0 }; memmove(a + 9, a, V(8));", "char a[16] = { 0 }; memmove(a + 1, a, V(8));", "out-of-bounds")
	emit("negative/memcpy", "char a[16] = { 0 }; memcpy(a, out, V(-1));", "char a[16] = { 0 }; memcpy(a, out, V(0));", "out-of-bounds")
	emit("negative/memset", "char a[16] = { 0 }; memset(a, 0, V(-1));", "char a[16] = { 0 }; memset(a, 0, V(0));", "out-of-bounds")
}

BEGIN {
	while ((getline text <PRELUDE) > 0)
		head(text)
	arrays()
	rows()
	lifetimes()
	overlaps()
	calls(CALLS)
	printf "static void (*const cases[])(void) = {"
	for (i = 1; i <= n; i++)
		printf " wrong%d, right%d,", i, i
	print " };"
	while ((getline text <MAIN) > 0)
		print text
}
