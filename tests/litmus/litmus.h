/* Threads and relaxed accesses for the tests that count classes; nothing here is a data race. */
#include "../programs/run.h"

#include <stdatomic.h>

#define WRITE(x, value) atomic_store_explicit(&(x), value, memory_order_relaxed)
#define READ(x) atomic_load_explicit(&(x), memory_order_relaxed)
