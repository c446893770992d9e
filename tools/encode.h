/*
 * Random programs as data, for the machine (machine.c): one character for each number, so that a program is an argument, and none has to be compiled.
 */
#ifndef EVR_TOOLS_ENCODE_H
#define EVR_TOOLS_ENCODE_H

#include "program.h"

/* The machine's source. */
char *encode_machine(void);
/* The program as an argument, to be freed; NULL: it has something that the machine does not know. */
char *encode_program(const struct program *p);

#endif
