# A project with a Makefile, built with `everett cc` as its CC: the checker passes, and finds the bug of the other variant.
set -eu
cp -r "$TOP/examples/make-project" good
cp -r "$TOP/examples/make-project" bad

make -C good CC="$EVERETT cc"
for file in main.o ring.o main.d ring.d ring_test; do
	test -s "good/$file"
done
grep -q 'ring\.h' good/main.d
"$EVERETT" run -m sc -e none good/ring_test
"$EVERETT" run good/ring_test

# The dependency file is right: touching the header compiles both again, and nothing is left to do after that.
touch -d '1 minute' good/ring.h
make -C good -n CC="$EVERETT cc" | grep -c -- ' -c ' | grep -qx 2
touch -d '1 minute ago' good/ring.h
make -C good -q CC="$EVERETT cc"

make -C bad CC="$EVERETT cc" CPPFLAGS=-DBUG
status=0
"$EVERETT" run -m sc -e none --json bad.json bad/ring_test || status=$?
test $status = 1
jq -e '.results[0].findings[0] | .kind == "assertion" and (.file | endswith("main.c"))' bad.json
