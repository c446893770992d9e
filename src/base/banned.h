/* Functions that no source of ours may call. The wrappers that replace them in checked programs opt out. */
#ifndef EVR_BANNED_H
#define EVR_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok rand

#endif
