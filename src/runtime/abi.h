/*
 * What an instrumented object tells the runtime about itself: its globals with their types, its thread-local variables,
 * constructors, and the functions that it defines and calls. Each object registers one evr_object before main.
 *
 * The instrumenter builds these structs field by field, in this order (instrument/tables.c); EVR_ABI_VERSION changes with
 * them, so that an object made by another version is refused.
 */
#ifndef EVR_ABI_H
#define EVR_ABI_H

#include "event/site.h"

#define EVR_ABI_VERSION 13

enum evr_type_kind {
	EVR_TYPE_OTHER,
	EVR_TYPE_SIGNED,
	EVR_TYPE_UNSIGNED,
	EVR_TYPE_FLOAT,
	EVR_TYPE_POINTER,
	EVR_TYPE_STRUCT, /* unions too: the first member that fits is taken */
	EVR_TYPE_ARRAY,
};

struct evr_type {
	uint64_t kind; /* enum evr_type_kind */
	uint64_t size;
	const struct evr_member *members; /* of a struct */
	uint64_t member_count;
	const struct evr_type *element; /* of an array */
};

struct evr_member {
	const char *name; /* "" for an anonymous struct or union */
	const struct evr_type *type;
	uint64_t offset;
};

/* A variable: global, static or local. */
struct evr_variable {
	const char *name;
	const struct evr_type *type; /* may be NULL */
	void *address;               /* NULL for locals and thread-local variables */
	uint64_t size;
	uint64_t flags;
};

enum evr_variable_flag {
	EVR_VARIABLE_CONST = 1,
	EVR_VARIABLE_EXTERN = 2, /* declared here, defined elsewhere; perhaps in a library without hooks */
};

struct evr_tls {
	const struct evr_variable *variable;
	const void *image; /* initial contents */
	uint64_t size, align;
	uint64_t offset; /* in each thread's block; the runtime fills it in */
};

struct evr_constructor {
	void (*function)(void);
	uint64_t priority;
	uint64_t is_destructor;
};

/* A function that the object calls and does not define. */
struct evr_callee {
	const char *name;   /* as it is in the source */
	const char *symbol; /* as it is for the linker */
	void *function; /* its address; NULL if weak and not there */
	const struct evr_site *site; /* a call, or NULL where only its address is taken */
	uint64_t allowed; /* the runtime fills it in: may be called, see EVR_CALLEE_QUIET */
};

/* `allowed` of a function that leaves nothing behind by itself: calls of it need no hook. */
#define EVR_CALLEE_QUIET 1

struct evr_function {
	const char *name;
	void *address;
	const struct evr_site *site; /* its first line */
};

/* A call of a library function: what reports call it. */
struct evr_call {
	const struct evr_site *site;
	const char *function;
	const struct evr_type *type; /* of an allocation: of which objects; NULL: not known */
	const char *type_name; /* of a struct, or empty */
};

enum evr_operation {
	EVR_OPERATION_LOAD,
	EVR_OPERATION_STORE,
	EVR_OPERATION_RMW,
	EVR_OPERATION_CAS,
	EVR_OPERATION_FENCE,
};

/* An atomic access or a fence. Its site is not constant: the order in it is the one that counts, and the runtime may change it. */
struct evr_atomic {
	struct evr_site *site;
	uint64_t operation; /* enum evr_operation */
	uint64_t executed; /* the code itself sets it to 1 */
};

enum evr_point_kind {
	EVR_POINT_FUNCTION,
	EVR_POINT_LINE,
	EVR_POINT_TRUE, /* a way out of a conditional branch */
	EVR_POINT_FALSE,
	EVR_POINT_CASE, /* and of a switch */
	EVR_POINT_DEFAULT,
};

/* What can be executed. Code that is there several times has several points of one place. */
struct evr_point {
	const struct evr_site *site;
	uint32_t kind; /* enum evr_point_kind */
	uint32_t number; /* of the branch among those of its function that are in the same line */
	int64_t value; /* of a case */
	uint64_t flag; /* the index of its byte among the object's flags */
};

/* What the object's code has. The first two are the ways in which it can say that something is wrong. */
enum evr_object_flag {
	EVR_OBJECT_ASSERTS = 1, /* a failed assertion, abort, reach_error and the like */
	EVR_OBJECT_EXITS = 2, /* a non-zero exit status, or an exception */
	EVR_OBJECT_NDEBUG = 4, /* it was compiled with -DNDEBUG */
	EVR_OBJECT_WEAK_ORDERS = 8, /* a memory order weaker than seq_cst */
};

struct evr_object {
	uint64_t version;
	const char *name;
	const struct evr_variable *variables;
	uint64_t variable_count;
	struct evr_tls *const *tls;
	uint64_t tls_count;
	const struct evr_constructor *constructors;
	uint64_t constructor_count;
	struct evr_callee *const *callees;
	uint64_t callee_count;
	const struct evr_function *functions;
	uint64_t function_count;
	const void *end; /* of its code, but for functions in sections of their own */
	uint64_t flags; /* enum evr_object_flag */
	struct evr_atomic *const *atomics;
	uint64_t atomic_count;
	const struct evr_call *calls;
	uint64_t call_count;
	const struct evr_point *points;
	uint64_t point_count;
	uint8_t *executed; /* the flags of points, which the code itself sets to 1 */
	struct evr_object *next; /* the runtime's list */
};

#endif
