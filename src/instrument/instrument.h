/*
 * From the compiler's bitcode to an object whose every access to memory that may be shared calls a hook.
 * The only folder that knows LLVM. What is inserted is listed in runtime/hooks.def.
 */
#ifndef EVR_INSTRUMENT_H
#define EVR_INSTRUMENT_H

#include "base/base.h"

struct evr_instrument_options {
	bool assembly;        /* write assembly (-S) instead of an object */
	bool dump; /* write the instrumented IR as text instead, with its hooks and without fast paths (for tests) */
	bool ndebug; /* the source was compiled with -DNDEBUG */
	bool verbose; /* say on standard error what was done */
};

/*
 * Instrument the bitcode file `input` and write `output`. Returns 0, or -1 with *error set to one or more lines that name
 * the construct and its source line ("sb.c:7: inline assembly 'cpuid' is not supported"); the caller frees it.
 */
int evr_instrument(const char *input, const char *output, const struct evr_instrument_options *o, char **error);

/* Write an object that holds the driver's own path, which the checker needs when it is started by itself. */
int evr_instrument_link_stub(const char *output, const char *driver_path, char **error);

/* "19.1.7": the LLVM that Everett was built with. */
const char *evr_instrument_llvm_version(void);

#endif
