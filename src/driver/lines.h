/* Lines of the source for addresses of code. */
#ifndef EVR_DRIVER_LINES_H
#define EVR_DRIVER_LINES_H

#include "report/result.h"

/* In the details of findings, put "FILE:LINE" in the place of each "{eADDRESS}"; leave out what cannot be found. */
void evr_lines_resolve(struct evr_result *r, const char *checker);

#endif
