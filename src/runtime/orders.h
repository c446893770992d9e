/*
 * The memory orders of the program's atomic accesses and fences: what they are, and how to check the program with others without compiling it again.
 *
 * A site is a place in the source with one kind of operation; a compare-exchange has two, one for each of its orders. An inline function that several objects have is
 * at one place, and so is all that a macro expands to: of one kind of operation this is one site.
 *
 * Right before each atomic access the program can be checked with a fence that it does not have: it is a site, too, whose order is relaxed as long as there is none.
 */
#ifndef EVR_ORDERS_H
#define EVR_ORDERS_H

#include "runtime/abi.h"

#include <stdbool.h>

/* Take the tables of the objects. */
void evr_orders_init(const struct evr_object *objects);
/*
 * Change orders as the user says: FILE:LINE[:COLUMN[:OPERATION]]=ORDER[/FAILURE], or with before-OPERATION that of an added fence; separated by commas; blanks, commas and
 * percent signs in it are %XX. What makes no sense ends the process with a message.
 */
void evr_orders_change(const char *text);
/* One letter for each site, in the order of evr_orders_tell(): 'x', 'a', 'r', 'b' (both), 's', or '.': as it is. Those of added fences may be left out. */
void evr_orders_assign(const char *letters);
/* Is it in the table, and no copy of what is? */
bool evr_orders_has(const struct evr_site *site);
/* Is any order now weaker than seq_cst that was changed? */
bool evr_orders_weakened(void);
/* Was an order of the site changed? Then it counts, and not what the program passes to a function of the library. */
bool evr_orders_is_changed(const struct evr_site *site);
/* Of an access with EVR_SITE_FENCED: the fence before it. */
struct evr_site *evr_orders_fence(const struct evr_site *access);
/* To the driver: all sites, with their orders as compiled, and whether they were executed so far; then all fences that could be added. */
void evr_orders_tell(int fd);

#endif
