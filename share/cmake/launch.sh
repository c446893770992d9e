#!/bin/sh
# A compiler launcher of CMake: launch.sh EVERETT cc|c++ COMPILER WORD... runs Everett's compiler in place of COMPILER.
everett=$1 command=$2
shift 3
exec "$everett" "$command" "$@"
