# cli/mpi-kill.sh, fifty times.
# set: long
. "$TOP/tests/mpi/kill.bash"
kills 50
finish
