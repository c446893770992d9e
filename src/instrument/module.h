/*
 * The module being instrumented, shared by the files of this folder.
 *
 * The passes run in this order:
 *   orders.c                     which memory orders there are
 *   ends.c, scopes.c, loops.c    on the compiler's plain output, while all values are in memory; with coverage.c, which finds lines and branches
 *   allocations.c                which types of objects are allocated
 *   locals.c                     lets LLVM's sroa turn locals into registers
 *   awaits.c                     loops that only wait, with pure.c, which knows what those may do
 *   functions.c                  hooks: access.c for memory, frame.c for locals, calls.c and assembly.c for the rest
 *   retries.c                    loops that may turn out to wait
 *   coverage.c                   again: the code notes where it was
 *   tables.c, debuginfo.c        describe the module to the runtime
 *   fast_paths.c                 what most calls of hooks come to is inlined, with hot.c, which knows where that pays
 *
 * Invariant: `function` is the function that is being instrumented, and the builder stands where position_before() has put it.
 */
#ifndef EVR_MODULE_H
#define EVR_MODULE_H

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "event/site.h"
#include "instrument/instrument.h"
#include "runtime/abi.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

typedef EVR_VEC(LLVMValueRef) value_vec;

#define WRAPPER_PREFIX "evr_libc_" /* and the name of a library function: its wrapper */
#define PROGRAM_MAIN "evr_program_main" /* what the runtime calls the program's main */

/* The order of hooks.def. */
enum hook {
#define HOOK(name, ...) HOOK_##name,
#include "runtime/hooks.def"
#undef HOOK
	HOOK_COUNT,
};

/* coverage.c: struct evr_point in the making. */
struct point {
	LLVMValueRef site;
	enum evr_point_kind kind;
	uint32_t number;
	int64_t value;
	uint64_t flag;
};

/* A way out of a branch: the block in which it begins. */
struct way_out {
	LLVMBasicBlockRef to;
	uint64_t point;
};

struct module {
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMBuilderRef builder;
	LLVMTargetDataRef layout;
	LLVMTypeRef i8, i16, i32, i64, i128, ptr, none;
	LLVMTypeRef site_type;
	LLVMValueRef hooks[HOOK_COUNT];
	LLVMTypeRef hook_types[HOOK_COUNT];
	LLVMValueRef call_site; /* the variable evr_call_site */

	LLVMValueRef function;  /* the one being instrumented */
	struct evr_strbuf errors;

	struct evr_map strings; /* hash of a text -> index of the last such text in string_values and string_texts */
	value_vec string_values;
	EVR_VEC(char *) string_texts;
	struct evr_map types; /* LLVMMetadataRef -> global */
	struct evr_map locals; /* alloca -> DILocalVariable */
	size_t accesses;       /* that sroa must leave alone */
	/* What becomes the object's tables. */
	value_vec callees;      /* struct evr_callee */
	struct evr_map callee_of; /* function -> its struct evr_callee */
	value_vec atomics;      /* struct evr_atomic */
	value_vec calls;        /* struct evr_call */
	value_vec tls;          /* struct evr_tls, of thread-local variables defined here */
	value_vec added;        /* globals that are ours, not the program's */
	value_vec plain;        /* calls of hooks for plain accesses, of at most eight bytes */
	struct evr_map
		alignments; /* such a call -> what the compiler expects of its addresses: of the first, and 256 times that of the second */
	struct evr_map sizes; /* global -> its size without the gap behind it */
	struct evr_map purity; /* function -> what pure.c found */
	EVR_VEC(struct point) points;
	value_vec branches; /* of m->function, that have points */
	EVR_VEC(struct way_out) edges; /* of m->function */
	LLVMValueRef coverage; /* stands for the flags until it is known how many there are */
	uint64_t flag_count;
	unsigned flags; /* enum evr_object_flag */
	bool verbose;
};

/* module.c */
void module_init(struct module *m);
void module_release(struct module *m);
LLVMValueRef hook_call(struct module *m, enum hook h, LLVMValueRef *arguments, unsigned n);
/* An error that names the instruction's source line. */
void refuse(struct module *m, LLVMValueRef at, const char *format, ...) EVR_PRINTF(3, 4);
LLVMValueRef const_int(LLVMTypeRef type, uint64_t value);
uint64_t size_of(struct module *m, LLVMTypeRef type);
const char *value_name(LLVMValueRef v);
/*
 * The source file of an instruction or function, to be freed; NULL if it has none. Debug information splits the name of a file
 * that was given from the root: then the folder, which is not the one the compiler ran in, belongs to it.
 */
char *file_of(struct module *m, LLVMValueRef at);
/* New instructions go before `at` and have its source line. */
void position_before(struct module *m, LLVMValueRef at);
/* An alloca of the machine's stack in the entry block, which stays there. */
LLVMValueRef native_alloca(struct module *m, LLVMTypeRef type);

/* locals.c: before and after locals become registers. False: an access to other memory has vanished. */
void locals_pin(struct module *m);
bool locals_unpin(struct module *m);
/* The constant offset that a getelementptr adds; false: it is none. */
bool locals_constant_offset(struct module *m, LLVMValueRef gep, int64_t *offset);
/* Is it a memcpy, memmove or memset? */
bool locals_is_copy(LLVMValueRef i);
/* The locals of m->function that no hook has to see. */
void locals_find_native(struct module *m, value_vec *native);

/* hot.c: which blocks may run often. */
void hot_find(struct module *m, struct evr_map *hot);
/* fast_paths.c */
void fast_paths_insert(struct module *m);
/* runs.c: accesses of blocks that may run often have their checks inlined; those which follow one another are checked together. */
void runs_fuse(struct module *m, const struct evr_map *hot);

/* tables.c */
LLVMValueRef string_constant(struct module *m, const char *text);
LLVMValueRef private_constant(struct module *m, LLVMValueRef initial, const char *name);
LLVMValueRef site_of(struct module *m, LLVMValueRef at, enum evr_order order, unsigned flags);
/* The same of an atomic access or a fence, for the object's table: the order can be changed. Before `at` the program notes that it was executed. */
LLVMValueRef atomic_site_of(struct module *m, LLVMValueRef at, enum evr_operation operation, enum evr_order order,
			    unsigned flags);
LLVMValueRef variable_constant(struct module *m, const char *name, LLVMMetadataRef variable, LLVMValueRef address,
			       uint64_t size, unsigned flags);
/* The site of a call of the library's function `name`, for the object's table. */
void call_note(struct module *m, LLVMValueRef call, LLVMValueRef site, const char *name);
LLVMValueRef callee_constant(struct module *m, LLVMValueRef function, LLVMValueRef call);
void tables_emit(struct module *m, const char *source);

/* demangle.c: the name as it is in the source, to be freed; of what is not C++, the name itself. */
char *demangled(const char *name);

/* debuginfo.c */
LLVMMetadataRef debug_global(LLVMValueRef global); /* its DIGlobalVariable or NULL */
char *debug_variable_name(struct module *m, LLVMMetadataRef variable);
LLVMValueRef debug_variable_type(struct module *m, LLVMMetadataRef variable); /* struct evr_type, or a null pointer */
/* The type of a variable or a member; what an array is made of; what a pointer points to; the member there, of a struct: NULL if there is none. */
LLVMMetadataRef debug_type(struct module *m, LLVMMetadataRef variable);
LLVMMetadataRef debug_element(struct module *m, LLVMMetadataRef type);
LLVMMetadataRef debug_pointee(struct module *m, LLVMMetadataRef type);
LLVMMetadataRef debug_member_at(struct module *m, LLVMMetadataRef type, uint64_t offset);
/* As a struct evr_type, and the name of a struct, class or union, or empty. */
LLVMValueRef debug_type_constant(struct module *m, LLVMMetadataRef type);
char *debug_struct_name(struct module *m, LLVMMetadataRef type);
void debug_find_locals(struct module *m);
/* Is it a variable of the function's outermost block, or a parameter? */
bool debug_is_outermost(struct module *m, LLVMMetadataRef variable);

/* scopes.c: the compiler's marks at the beginning and the end of a local's scope. */
bool scope_marker(LLVMValueRef i);
bool scope_begins(LLVMValueRef marker);
LLVMValueRef scope_local(LLVMValueRef marker);
/* The variable that the block's switch asks where to go, if it holds numbers only; NULL: there is no such switch. */
LLVMValueRef scope_slot(LLVMBasicBlockRef b);
/* The number of a switch's successor other than the first, which is the default. */
LLVMValueRef scope_case_of(LLVMValueRef end, unsigned successor);

/* coverage.c: where the program is noted to have been. Is it such a mark? It does nothing, and is no call to anybody else. */
bool coverage_mark(LLVMValueRef i);
void coverage_find(struct module *m);
void coverage_lower(struct module *m);
/* The table, and the flags that it speaks of. */
void coverage_emit(struct module *m, value_vec *points, LLVMValueRef *flags);

/* reserved.c: refuses a program that defines what the runtime needs of the C library. */
void reserved_check(struct module *m);

/* The passes. */
/* Are there memory orders weaker than seq_cst? */
void orders_find(struct module *m, LLVMTargetMachineRef machine);
/* How the program can fail by itself; main tells what it returns. */
void ends_instrument(struct module *m);
void globals_pad(struct module *m);
void scopes_separate(struct module *m);
void loops_instrument(struct module *m);
void awaits_instrument(struct module *m);
void retries_instrument(struct module *m);
void tls_lower(struct module *m);
void functions_instrument(struct module *m);
void access_instrument(struct module *m, LLVMValueRef instruction);
/* A call of a hook for plain accesses of at most eight bytes, and what its addresses are aligned to, if the compiler is right. */
void access_note_plain(struct module *m, LLVMValueRef call, unsigned first, unsigned second);
/* Is the load the read half of a bit-field update, whose other bits may be uninitialised? */
bool access_updates_bitfield(LLVMValueRef load);
/* A copy of `size` bytes that hooks see. */
void access_copy(struct module *m, LLVMValueRef to, LLVMValueRef from, uint64_t size, LLVMValueRef at);
/* Decide which locals stay on the machine's stack; move the others to the frame arena. */
void frame_instrument(struct module *m, value_vec *native);
bool frame_is_native(const value_vec *native, LLVMValueRef pointer);
void calls_instrument(struct module *m, LLVMValueRef call);
void calls_rename_library(struct module *m);
bool calls_wrapped(const char *name); /* has the library function a wrapper? */
bool calls_setjmp(const char *name); /* is it setjmp, under one of its names? */
/* The names that SV-COMP gives a meaning. */
void svcomp_lower(struct module *m);
void assembly_instrument(struct module *m, LLVMValueRef call);
/* assembly_lift.c: assembly that accesses memory atomically becomes atomic instructions, where it is understood. */
void assembly_lift(struct module *m);
/* Is the inline assembly a fence, a pause or nothing at all? */
bool assembly_is_barrier(LLVMValueRef call);

/* allocations.c: the type of what the call allocates, or NULL. */
void allocations_find(struct module *m);
LLVMMetadataRef allocations_type(struct module *m, LLVMValueRef call);

/* told_apart.c: does the program do something else if the call returns this number, instead of 0? */
bool told_apart(LLVMValueRef call, int64_t other);

/* pure.c: does the instruction leave nothing behind but its value? And does it read what other threads may write? */
bool pure_instruction(struct module *m, LLVMValueRef i);
bool pure_reads(struct module *m, LLVMValueRef i);

#endif
