/* Prototypes of the hooks that instrumented code calls; made from hooks.def. */
#ifndef EVR_HOOKS_H
#define EVR_HOOKS_H

#include "event/event.h"

typedef void hook_void;
typedef void *hook_ptr;
typedef uint8_t hook_i8;
typedef uint16_t hook_i16;
typedef uint32_t hook_i32;
typedef uint64_t hook_i64;
typedef evr_value hook_i128;

#define HOOK(name, result, ...) result name(__VA_ARGS__);
#include "runtime/hooks.def"
#undef HOOK

#endif
