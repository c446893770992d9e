/*
 * A checker that is asked for many explorations, by a test tool: it gets ready once, and each exploration is a copy of it, which
 * costs a tenth of a start.
 */
#ifndef EVR_SERVE_H
#define EVR_SERVE_H

/*
 * Take orders from the socket until it is closed; each is a packet of strings: the words of EVERETT_CHECKER, then the program's
 * arguments. Returns only in a copy that has an order to carry out: its words, and argc and argv. Whoever sent the order is told
 * when the copy has ended.
 */
const char *evr_serve(int fd, int *argc, char **argv);

#endif
