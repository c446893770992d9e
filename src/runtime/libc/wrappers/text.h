/* Strings, wide characters and numbers: <string.h>, <wchar.h>, <math.h>, and a part of <stdlib.h>. */
#ifndef EVR_WRAPPERS_TEXT_H
#define EVR_WRAPPERS_TEXT_H

#include "runtime/libc/wrappers/wrapper.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

/* memory.c */
EVR_WRAPPER(memcpy);
EVR_WRAPPER(memmove);
EVR_WRAPPER(mempcpy);
EVR_WRAPPER(bcopy);
EVR_WRAPPER(memset);
EVR_WRAPPER(bzero);
EVR_WRAPPER(explicit_bzero);
EVR_WRAPPER(memccpy);
EVR_WRAPPER(stpcpy);
EVR_WRAPPER(stpncpy);
EVR_WRAPPER(strncpy);
EVR_WRAPPER(strncat);
EVR_WRAPPER(strdup);
EVR_WRAPPER(strndup);
EVR_WRAPPER(strxfrm);
size_t evr_libc_strlcpy(char *to, const char *from, size_t size);
size_t evr_libc_strlcat(char *to, const char *from, size_t size);
EVR_WRAPPER(swab);
char *evr_libc_dirname(char *path);
char *evr_libc_basename(const char *path);

/* By the names that the library's headers or _FORTIFY_SOURCE give them. */
void *evr_libc___memcpy_chk(void *to, const void *from, size_t n, size_t room);
void *evr_libc___memmove_chk(void *to, const void *from, size_t n, size_t room);
void *evr_libc___mempcpy_chk(void *to, const void *from, size_t n, size_t room);
void *evr_libc___memset_chk(void *to, int byte, size_t n, size_t room);
char *evr_libc___strcpy_chk(char *to, const char *from, size_t room);
char *evr_libc___stpcpy_chk(char *to, const char *from, size_t room);
char *evr_libc___strncpy_chk(char *to, const char *from, size_t n, size_t room);
char *evr_libc___strcat_chk(char *to, const char *from, size_t room);
char *evr_libc___strncat_chk(char *to, const char *from, size_t n, size_t room);
char *evr_libc___stpncpy_chk(char *to, const char *from, size_t n, size_t room);
void evr_libc___explicit_bzero_chk(void *to, size_t n, size_t room);
char *evr_libc___xpg_basename(char *path);

/* string.c */
EVR_WRAPPER(memcmp);
int evr_libc_bcmp(const void *a, const void *b, size_t n);
EVR_WRAPPER(memchr);
EVR_WRAPPER(rawmemchr);
EVR_WRAPPER(memrchr);
EVR_WRAPPER(memmem);
EVR_WRAPPER(strlen);
EVR_WRAPPER(strnlen);
EVR_WRAPPER(strcmp);
EVR_WRAPPER(strncmp);
EVR_WRAPPER(strcoll);
EVR_WRAPPER(strcasecmp);
EVR_WRAPPER(strncasecmp);
EVR_WRAPPER(strchrnul);
EVR_WRAPPER(strchr);
EVR_WRAPPER(strrchr);
EVR_WRAPPER(index);
EVR_WRAPPER(rindex);
EVR_WRAPPER(strspn);
EVR_WRAPPER(strcspn);
EVR_WRAPPER(strpbrk);
EVR_WRAPPER(strstr);
EVR_WRAPPER(strcasestr);
EVR_WRAPPER(strtok_r);
EVR_WRAPPER(strsep);
EVR_WRAPPER(strerror);
EVR_WRAPPER(strsignal);
EVR_WRAPPER(strerror_r);
EVR_WRAPPER(strverscmp);

/* By the names that the library's headers or _FORTIFY_SOURCE give them. */
int evr_libc___xpg_strerror_r(int number, char *to, size_t size);

/* wide.c */
EVR_WRAPPER(wcslen);
EVR_WRAPPER(wcsnlen);
EVR_WRAPPER(wcscmp);
EVR_WRAPPER(wcsncmp);
EVR_WRAPPER(wcscoll);
EVR_WRAPPER(wmemcmp);
EVR_WRAPPER(wmemchr);
EVR_WRAPPER(wcschr);
EVR_WRAPPER(wcsrchr);
EVR_WRAPPER(wcsspn);
EVR_WRAPPER(wcscspn);
EVR_WRAPPER(wcspbrk);
EVR_WRAPPER(wcsstr);
EVR_WRAPPER(wmemcpy);
EVR_WRAPPER(wmemmove);
EVR_WRAPPER(wmempcpy);
EVR_WRAPPER(wmemset);
EVR_WRAPPER(wcscpy);
EVR_WRAPPER(wcpcpy);
EVR_WRAPPER(wcscat);
EVR_WRAPPER(wcsncat);
EVR_WRAPPER(wcsncpy);
EVR_WRAPPER(wcsdup);
EVR_WRAPPER(wcstol);
EVR_WRAPPER(wcstoul);
EVR_WRAPPER(wcstoll);
EVR_WRAPPER(wcstoull);
EVR_WRAPPER(wcstod);
EVR_WRAPPER(wcstof);
EVR_WRAPPER(wcstold);
EVR_WRAPPER(mbtowc);
EVR_WRAPPER(mblen);
EVR_WRAPPER(wctomb);
EVR_WRAPPER(mbrtowc);
EVR_WRAPPER(wcrtomb);
EVR_WRAPPER(mbrlen);
EVR_WRAPPER(mbsinit);
EVR_WRAPPER(mbstowcs);
EVR_WRAPPER(wcstombs);
EVR_WRAPPER(wctype);
EVR_WRAPPER(wctrans);

/* number.c */
EVR_WRAPPER(strtol);
EVR_WRAPPER(strtoll);
EVR_WRAPPER(strtoul);
EVR_WRAPPER(strtoull);
EVR_WRAPPER(strtoimax);
EVR_WRAPPER(strtoumax);
EVR_WRAPPER(strtod);
EVR_WRAPPER(strtof);
EVR_WRAPPER(strtold);
EVR_WRAPPER(frexp);
EVR_WRAPPER(frexpf);
EVR_WRAPPER(frexpl);
EVR_WRAPPER(modf);
EVR_WRAPPER(modff);
EVR_WRAPPER(modfl);
EVR_WRAPPER(atoi);
EVR_WRAPPER(atol);
EVR_WRAPPER(atoll);
EVR_WRAPPER(atof);
EVR_WRAPPER(random);
EVR_WRAPPER(lrand48);
EVR_WRAPPER(drand48);
EVR_WRAPPER(srand);
EVR_WRAPPER(srandom);
EVR_WRAPPER(srand48);
EVR_WRAPPER(rand_r);
EVR_WRAPPER(mrand48);
EVR_WRAPPER(erand48);
EVR_WRAPPER(nrand48);
EVR_WRAPPER(jrand48);
uint32_t evr_libc_arc4random(void);
uint32_t evr_libc_arc4random_uniform(uint32_t limit);
void evr_libc_arc4random_buf(void *to, size_t n);
EVR_WRAPPER(getrandom);
EVR_WRAPPER(getentropy);

/* By the names that the library's headers or _FORTIFY_SOURCE give them. */
long evr_libc___isoc23_strtol(const char *s, char **end, int base);
long long evr_libc___isoc23_strtoll(const char *s, char **end, int base);
unsigned long evr_libc___isoc23_strtoul(const char *s, char **end, int base);
unsigned long long evr_libc___isoc23_strtoull(const char *s, char **end, int base);
intmax_t evr_libc___isoc23_strtoimax(const char *s, char **end, int base);
uintmax_t evr_libc___isoc23_strtoumax(const char *s, char **end, int base);

/* math.c */
EVR_WRAPPER(sincos);
EVR_WRAPPER(remquo);
EVR_WRAPPER(lgamma_r);
EVR_WRAPPER(nan);
EVR_WRAPPER(sincosf);
EVR_WRAPPER(remquof);
EVR_WRAPPER(lgammaf_r);
EVR_WRAPPER(nanf);
EVR_WRAPPER(sincosl);
EVR_WRAPPER(remquol);
EVR_WRAPPER(lgammal_r);
EVR_WRAPPER(nanl);

/* What our own sources must not call; see base/banned.h. */
#ifdef EVR_ALLOW_BANNED
EVR_WRAPPER(strcpy);
EVR_WRAPPER(strcat);
EVR_WRAPPER(strtok);
EVR_WRAPPER(rand);
#endif

#endif
