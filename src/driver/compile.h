/* Compile, instrument and link: what a compiler's command line asks for, done with clang and the instrumenter. */
#ifndef EVR_DRIVER_COMPILE_H
#define EVR_DRIVER_COMPILE_H

#include "driver/cc.h"

/* Where the time went, in seconds. */
struct evr_times {
	double clang, instrument, link;
};

/* Returns the exit status: 0, EVR_USAGE after a message, or clang's where clang alone was asked. */
int evr_compile(const struct evr_cc *cc, struct evr_times *times);

#endif
