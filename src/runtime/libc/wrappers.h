/*
 * Wrappers of library functions: evr_libc_NAME has NAME's signature and is called in its place.
 * A wrapper finds its call's site in evr_call_site; it must read it before it touches program memory, because the thread
 * may be switched there. Program memory is touched only through evr_access_read() and evr_access_write().
 *
 * Each header of wrappers/ has one family of functions, grouped by the file that defines them. The prototypes follow from
 * the library's own headers: a wrapper with another signature does not compile.
 */
#ifndef EVR_WRAPPERS_H
#define EVR_WRAPPERS_H

#include "runtime/libc/wrappers/files.h"
#include "runtime/libc/wrappers/memory.h"
#include "runtime/libc/wrappers/process.h"
#include "runtime/libc/wrappers/text.h"
#include "runtime/libc/wrappers/threads.h"

#endif
