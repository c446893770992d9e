/*
 * The classes that an execution belongs to, as canonical texts: two executions of a program are in the same class exactly
 * if their texts are equal, whatever engine explored them.
 *
 *   trace     the Shasha-Snir trace: program order, reads-from, coherence
 *   rf        program order and reads-from
 *   rvf       the values, and the causal order between reads (paper 001, section 3)
 *   outcome   the values that were read, and the findings
 *
 * Threads are named by their place in the tree of creations, events by thread and position; fences that are no events of
 * their own, creates, joins and so on follow from the rest and are left out.
 */
#ifndef EVR_CLASSES_H
#define EVR_CLASSES_H

#include "base/set.h"
#include "base/strbuf.h"
#include "event/graph.h"

enum evr_class_kind { EVR_CLASS_TRACE, EVR_CLASS_RF, EVR_CLASS_RVF, EVR_CLASS_OUTCOME, EVR_CLASS_KINDS };

extern const char *const evr_class_names[EVR_CLASS_KINDS];

/* The key of a class, for comparing: hashes of its text. */
struct evr_key evr_class_key(const char *text);

/*
 * The text of one kind for an execution. names[t] is the thread's name; ending tells of the outcome what the events do
 * not: findings, and whether the execution was blocked.
 */
void evr_class_text(struct evr_strbuf *out, enum evr_class_kind kind, const struct evr_graph *g, char *const *names,
		    const char *ending);

#endif
