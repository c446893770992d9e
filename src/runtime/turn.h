/*
 * Checkers of several models take turns: the driver pauses one by SIGUSR2, and lets it go on through an eventfd, which is
 * readable for as long as the checker may run. A pause can come anywhere, and lasts until the fd is readable again.
 */
#ifndef EVR_TURN_H
#define EVR_TURN_H

/* Listen to the driver, if it has said where. */
void evr_turn_init(void);
/* Seconds that the checker has been paused for so far. */
double evr_turn_paused(void);
/* No pause in between: what the driver is told of a finding arrives as a whole. Calls do not nest. */
void evr_turn_hold(void);
void evr_turn_release(void);

#endif
