/* The same as publish_pso, under RC11: who sees the flag need not see the message. */
#include "publish_pso.c"
