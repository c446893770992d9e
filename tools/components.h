/* The strongly connected components of a graph: Tarjan's algorithm, without recursion. */
#ifndef EVR_TOOLS_COMPONENTS_H
#define EVR_TOOLS_COMPONENTS_H

#include "base/base.h"

/*
 * The graph has n nodes, all of which can be reached from node 0. The edges of node i lead to to[first[i]] and so on, before
 * to[first[i + 1]]. component[i], 0 at first, becomes the number of its component, from 1. Returns how many there are.
 */
size_t components_of(size_t n, const size_t *first, const uint32_t *to, uint32_t *component);

#endif
