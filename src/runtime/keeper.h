/*
 * A copy of a checker that keeps one execution with a finding, and answers for assignments of memory orders whether the same execution could happen with them, and would still have the
 * finding: that takes microseconds where a search takes milliseconds.
 */
#ifndef EVR_KEEPER_H
#define EVR_KEEPER_H

#include "report/result.h"

/*
 * If the execution that has just ended can be kept, say 'k' on the socket, and leave a copy of this process there. It answers each packet, which is what evr_orders_assign() takes, by 'f': it fails
 * with these orders, or '?': nothing is known; and "q" by its end. It ends when the other side of the socket is closed, too.
 */
void evr_keeper_begin(int fd, const struct evr_result *r);

#endif
