# CMake projects: with the package of an installed Everett, and with `everett cc` as the compiler.
set -eu
eval "make -s -C '$TOP' ${MAKE_CONFIGURATION:?set by make check} install PREFIX=/everett DESTDIR='$PWD/installed'"
fails() {
	! "$@" || { echo "succeeded: $*" && exit 1; }
}
found=-DEverett_ROOT=$PWD/installed/everett
cp -r "$TOP/examples/cmake-project" source

# --- the package: checks of the example that pass, and that fail, with either of CMake's two generators

cmake -S source -B good "$found"
cmake --build good
ctest --test-dir good -V >good.log
grep -q '100% tests passed, 0 tests failed out of 3' good.log
grep -q 'everett: tso/traces: ok, .* complete' good.log
cmake -S source -B bad -G Ninja "$found" -DCMAKE_C_FLAGS=-DBUG
cmake --build bad
fails ctest --test-dir bad -V -R everett >bad.log
grep -q '2 tests failed out of 2' bad.log
grep -q 'bank.c:.*deadlock' bad.log
grep -q 'everett: sc/rf: FINDING deadlock' bad.log
# Without Everett the project is what it was.
cmake -S source -B without -DCMAKE_DISABLE_FIND_PACKAGE_Everett=ON
cmake --build without
ctest --test-dir without | grep -q '0 tests failed out of 1'
# A version that is asked for.
mkdir version
echo 'cmake_minimum_required(VERSION 3.21)
project(v C)
find_package(Everett ${WANT} REQUIRED)' >version/CMakeLists.txt
cmake -S version -B v1 "$found" -DWANT=0.1
fails cmake -S version -B v2 "$found" -DWANT=99

# --- all that a target can be linked with

mkdir -p large/lib large/ob
cat >large/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(large C CXX)
enable_testing()
find_package(Everett REQUIRED)
find_package(Threads REQUIRED)
add_subdirectory(lib)
add_subdirectory(ob)
add_library(glue INTERFACE)
target_link_libraries(glue INTERFACE large::deep Threads::Threads m)
target_compile_definitions(glue INTERFACE "GLUE=\"g l\"")
add_executable(program main.c)
target_sources(program PRIVATE $<TARGET_OBJECTS:ob>)
target_link_libraries(program PRIVATE glue)
everett_add_check(program MODEL tso EQUIVALENCE none UNROLL 4 OPTIONS --keep-going --spurious-cas ARGS one "two words")
everett_add_check(program MODEL sc NAME other ARGS one "two words")
# A library and its test; and a test of its own.
everett_add_check(deep SOURCES deep_test.c)
everett_add_check(alone SOURCES alone.cc MODEL ra)
END
cat >large/lib/CMakeLists.txt <<'END'
add_custom_command(OUTPUT generated.c COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/generated.in generated.c)
add_library(generated STATIC generated.c)
set_target_properties(generated PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_library(deep SHARED deep.c)
add_library(large::deep ALIAS deep)
target_include_directories(deep PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>)
target_compile_definitions(deep PRIVATE DEEP=7)
target_link_libraries(deep PRIVATE generated)
set_target_properties(deep PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
END
mkdir large/lib/include
echo 'int generated(void) { return 5; }' >large/lib/generated.in
echo 'int deep(void);
extern int shared;' >large/lib/include/deep.h
cat >large/lib/deep.c <<'END'
#include <deep.h>
#if __STDC_VERSION__ != 199901L || !defined(__STRICT_ANSI__)
#error flags
#endif
int generated(void);
int shared;
int deep(void) { shared++; return DEEP + generated(); }
END
echo 'add_library(ob OBJECT ob.c)' >large/ob/CMakeLists.txt
echo 'int ob(void) { return 1; }' >large/ob/ob.c
cat >large/main.c <<'END'
#include <assert.h>
#include <deep.h>
#include <pthread.h>
#include <string.h>
int ob(void);
static void *thread(void *p) { assert(deep() == 12); return p; }
int main(int argc, char **argv)
{
	pthread_t t;
	assert(argc == 3 && !strcmp(argv[1], "one") && !strcmp(argv[2], "two words") && !strcmp(GLUE, "g l") && ob() == 1);
	pthread_create(&t, NULL, thread, NULL);
	thread(NULL);
	pthread_join(t, NULL);
#ifdef BUG
	assert(shared == 2);
#endif
	return 0;
}
END
echo '#include <assert.h>
#include <deep.h>
int main(void) { assert(deep() == 12); return 0; }' >large/deep_test.c
echo '#include <cassert>
int main() { assert(true); }' >large/alone.cc
cmake -S large -B all "$found"
cmake --build all
ctest --test-dir all -V >all.log || { cat all.log; false; }
grep -q 'tests failed out of 4' all.log
# The options arrive. Both threads read and then write one variable: that are six interleavings, and three choices of sources.
grep -q 'everett "run" "-m" "tso" "--keep-going" "--spurious-cas" "-e" "none" "-u" "4"' all.log
grep -q 'everett: tso/none: ok, 6 executions' all.log
grep -q 'everett: sc/rf: ok, 3 executions' all.log
grep -q 'everett: ra/rf: ok, 1 execution' all.log
# The library that two threads write to is instrumented, too: the lost update is found.
# Release builds have no assertions; the checks keep theirs.
cmake -S large -B lost "$found" -DCMAKE_C_FLAGS=-DBUG -DCMAKE_BUILD_TYPE=Release
cmake --build lost
fails ctest --test-dir lost -V -R other.sc >lost.log
grep -q 'assertion: shared == 2' lost.log

# Mistakes.
mistake() { # LINE MESSAGE
	mkdir -p mistake
	printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(v C)' 'find_package(Everett REQUIRED)' "$1" >mistake/CMakeLists.txt
	fails cmake -S mistake -B mistaken "$found" 2>mistake.log
	grep -q "$2" mistake.log
}
mistake 'everett_add_check(nothing)' "'nothing' is no target"
mistake 'everett_add_check(x MODELL tso SOURCES x.c)' 'unknown words: MODELL'
printf 'int x;\n' >mistake/x.c
mistake 'add_library(x x.c)
everett_add_check(x)' "'x' is no executable"

# --- `everett cc` given in both ways that CMake knows for a compiler of two words

CC="$EVERETT cc" cmake -S source -B good-cc
cmake --build good-cc
"$EVERETT" run -e none good-cc/bank_test
cmake -S source -B bad-cc "-DCMAKE_C_COMPILER=$EVERETT;cc" -DCMAKE_C_FLAGS=-DBUG
cmake --build bad-cc
status=0
"$EVERETT" run -e none --json bad.json bad-cc/bank_test || status=$?
test $status = 1
jq -e '.results[0].findings[0].kind == "deadlock"' bad.json
