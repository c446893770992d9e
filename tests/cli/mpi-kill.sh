# A rank, its checker or the driver is killed at a random moment: resumed by any number of ranks, or by one process, the search has the counts and findings of an undisturbed
# run. cli/mpi-kill-50.sh does it fifty times.
# set: slow
. "$TOP/tests/mpi/kill.bash"
kills 3
finish
