/* Classes of executions, numbered in the order in which they come. They are told apart by a hash of 64 bits. */
#ifndef EVR_NUMBERS_H
#define EVR_NUMBERS_H

#include "base/map.h"
#include "base/strbuf.h"
#include "event/classes.h"
#include "explore/engine.h"

struct evr_numbers {
	enum evr_class_kind kind;
	struct evr_map of; /* the hash of a class -> its number */
	uint32_t count;
	struct evr_graph graph; /* of the last execution that was numbered */
	struct evr_strbuf text;
	char **names; /* of threads: their numbers, which do not depend on the interleaving */
};

/* Of the kind that the engine explores one execution of each of; of traces, if it makes no such claim. */
void evr_numbers_init(struct evr_numbers *n, const struct evr_engine_ops *classes_of);
void evr_numbers_clear(struct evr_numbers *n);
/* The hash of the class of the execution that has just ended. */
uint64_t evr_numbers_key(struct evr_numbers *n);
/* The number of that class; `count` as it was before, if it is the first of its class. */
uint32_t evr_numbers_add(struct evr_numbers *n);

#endif
