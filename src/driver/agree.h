/* `--check -k`: the findings of an engine against those of brute force. */
#ifndef EVR_DRIVER_AGREE_H
#define EVR_DRIVER_AGREE_H

#include "driver/options.h"
#include "report/result.h"

/*
 * If r is the result of a complete search that was to be checked and to find everything, explore the program by brute force, too, and make
 * it an internal error if the findings are not the same. Where brute force needs too many executions, nothing is compared.
 */
void evr_agree(const struct evr_options *o, const char *checker, struct evr_result *r);

#endif
