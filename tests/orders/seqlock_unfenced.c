/* The sequence lock without its fences: broken. */
#define WITHOUT_FENCES
#include "seqlock.c"
