# A CMake project, with `everett cc` given in both ways that CMake knows for a compiler of two words.
set -eu
cp -r "$TOP/examples/cmake-project" source

CC="$EVERETT cc" cmake -S source -B good
cmake --build good
"$EVERETT" run -e none good/bank_test

cmake -S source -B bad "-DCMAKE_C_COMPILER=$EVERETT;cc" -DCMAKE_C_FLAGS=-DBUG
cmake --build bad
status=0
"$EVERETT" run -e none --json bad.json bad/bank_test || status=$?
test $status = 1
jq -e '.results[0].findings[0].kind == "deadlock"' bad.json
