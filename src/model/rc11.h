/* RC11's axioms over a whole execution, written without anything of its steps: rc11_axioms.c. */
#ifndef EVR_RC11_H
#define EVR_RC11_H

#include "event/graph.h"

bool evr_rc11_allows(const struct evr_graph *g);

#endif
