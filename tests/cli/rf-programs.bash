# Programs of bench/papers, at sizes at which all classes are met in no time, with their options.
# shellcheck disable=SC2034
programs='approxds_append|-DN=3
barrier|-DN=1 -DLB=3
boop4|-DN=1 -DOPENERS=2
casrot|-DN=4
chase_lev|-DN=1 -DJOBS=2
chase_lev_dq|-DN=1 -DTHIEVES=1
circular_buffer|-DN=3
clh_mutex|-DN=2 -DLB=3
clh_rwlock|-DN=2 -DLB=3
cliffc_hashtable|-DN=2
concurrent_hashmap|-DN=2
control_flow|-DN=3
correia_ramalhete|-DN=2 -DLB=1
cr_turn|-DN=2 -DLB=1
dcl_singleton|-DFENCES=0 -u 2
dekker|-DFENCES=0 -DTRIES=2
eager|-DN=3
exponential_bug|-DN=1
fib_bench|-DN=2
filesystem|-DN=14
floating_read|-DN=4
gcd|-DN=1
indexer|-DN=12
lamport|-DFENCES=0 -DASSUME -u 3
lamport_n|-DN=2 -DASSUME
lastwrite|-DN=4
lastzero|-DN=3
linux_lock|-DN=2 -DLB=6
linuxrwlocks|-DN=1
mcs_lock|-DN=2 -DLB=2 -DENTRIES=1
monabsex1|-DN=3
mpmc_queue|-DN=2 -DLB=3
mpsc_mutex|-DN=2 -DLB=3
opt_lock|-DN=2
parker|-DN=1 -DASSUME
peterson|-DFENCES=0
pgsql|-DFENCES=0 -DASSUME -u 3
pthread_demo|-DN=3
queue_ok|-DN=2 -DPUT=2 -DTAKE=2
race_parametric|-DN=2
readers|-DN=4
redundant_co|-DN=2
reorder|-DN=3
rvf_figure1|
rvf_figure6|
scull_loop|-DN=1 -DUSERS=1
seqlock|-DN=2 -DLB=2
sigma|-DN=3
singleton|-DN=4
spsc_queue|
stack|-DUNSAFE
szymanski|-DFENCES=0 -DASSUME
ticket_mutex|-DN=2 -DLB=3
tidex|-DN=2 -DLB=3
unverif|-DN=3'
