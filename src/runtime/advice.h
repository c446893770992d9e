/* Of a search that was stopped: which locations, and accesses to them, multiply the executions? */
#ifndef EVR_ADVICE_H
#define EVR_ADVICE_H

/* Find out, by a copy of this process, and tell the driver. The search is over. */
void evr_advice(void);

#endif
