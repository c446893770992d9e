#ifndef EVR_RUNTIME_PREDICT_H
#define EVR_RUNTIME_PREDICT_H

#include "report/result.h"

bool evr_predict_wanted(void);
/* Predict cycles and try to create them, as the configuration says; tells the driver of each. */
void evr_predict(struct evr_result *r);

#endif
