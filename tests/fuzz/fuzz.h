/*
 * What the fuzz targets share. A target is a C file with LLVMFuzzerTestOneInput(): `make fuzz` links it with libFuzzer and
 * the sanitizers, `make check` with corpus.c, which hands it the files of its corpus one by one.
 */
#ifndef EVR_FUZZ_H
#define EVR_FUZZ_H

#include "base/base.h"
#include "report/json.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where a refusal of the input (evr_die) comes back to. Whatever was allocated on the way is not freed. */
extern jmp_buf fuzz_refused;
/* Calls the function with the input as a string; true if it was not refused. */
bool fuzz_try(void (*function)(char *text), const uint8_t *data, size_t size);
/* The lines of the text, cut up in place. */
void fuzz_lines(char *text, evr_words *out);

#endif
