/* Files, streams and formatted text: <stdio.h>, <fcntl.h>, <err.h>, and a part of <unistd.h>. */
#ifndef EVR_WRAPPERS_FILES_H
#define EVR_WRAPPERS_FILES_H

#include "runtime/libc/wrappers/wrapper.h"

#include <err.h>
#include <error.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* printf.c */
EVR_WRAPPER(vsnprintf);
EVR_WRAPPER(snprintf);
EVR_WRAPPER(vasprintf);
EVR_WRAPPER(asprintf);
EVR_WRAPPER(vfprintf);
EVR_WRAPPER(vprintf);
EVR_WRAPPER(fprintf);
EVR_WRAPPER(printf);
EVR_WRAPPER(vdprintf);
EVR_WRAPPER(dprintf);

/* By the names that the library's headers or _FORTIFY_SOURCE give them. */
int evr_libc___vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args);
int evr_libc___vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args);
int evr_libc___vfprintf_chk(FILE *stream, int flag, const char *format, va_list args);
int evr_libc___vprintf_chk(int flag, const char *format, va_list args);
int evr_libc___vasprintf_chk(char **to, int flag, const char *format, va_list args);
int evr_libc___asprintf_chk(char **to, int flag, const char *format, ...);
int evr_libc___snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...);
int evr_libc___sprintf_chk(char *to, int flag, size_t room, const char *format, ...);
int evr_libc___fprintf_chk(FILE *stream, int flag, const char *format, ...);
int evr_libc___printf_chk(int flag, const char *format, ...);
int evr_libc___vdprintf_chk(int fd, int flag, const char *format, va_list args);
int evr_libc___dprintf_chk(int fd, int flag, const char *format, ...);

/* scan.c */
EVR_WRAPPER(sscanf);
EVR_WRAPPER(fscanf);
EVR_WRAPPER(scanf);
EVR_WRAPPER(vsscanf);
EVR_WRAPPER(vfscanf);
EVR_WRAPPER(vscanf);

/* By the names that the library's headers or _FORTIFY_SOURCE give them. */
int evr_libc___isoc99_sscanf(const char *string, const char *format, ...);
int evr_libc___isoc99_fscanf(FILE *stream, const char *format, ...);
int evr_libc___isoc99_scanf(const char *format, ...);
int evr_libc___isoc99_vsscanf(const char *string, const char *format, va_list args);
int evr_libc___isoc99_vfscanf(FILE *stream, const char *format, va_list args);
int evr_libc___isoc99_vscanf(const char *format, va_list args);
int evr_libc___isoc23_sscanf(const char *string, const char *format, ...);
int evr_libc___isoc23_fscanf(FILE *stream, const char *format, ...);
int evr_libc___isoc23_scanf(const char *format, ...);
int evr_libc___isoc23_vsscanf(const char *string, const char *format, va_list args);
int evr_libc___isoc23_vfscanf(FILE *stream, const char *format, va_list args);
int evr_libc___isoc23_vscanf(const char *format, va_list args);

/* pipe.c */
EVR_WRAPPER(pipe);
EVR_WRAPPER(pipe2);
EVR_WRAPPER(socketpair);
EVR_WRAPPER(eventfd);
EVR_WRAPPER(eventfd_read);
EVR_WRAPPER(eventfd_write);
EVR_WRAPPER(send);
EVR_WRAPPER(recv);
EVR_WRAPPER(poll);

/* stdio.c, stdio_state.c, stdio_alias.c */
EVR_WRAPPER(fopen);
EVR_WRAPPER(fopen64);
EVR_WRAPPER(freopen);
EVR_WRAPPER(freopen64);
EVR_WRAPPER(fdopen);
EVR_WRAPPER(tmpfile);
EVR_WRAPPER(tmpfile64);
EVR_WRAPPER(getc);
EVR_WRAPPER(getc_unlocked);
EVR_WRAPPER(fgetc_unlocked);
EVR_WRAPPER(putc);
EVR_WRAPPER(putc_unlocked);
EVR_WRAPPER(fputc_unlocked);
EVR_WRAPPER(getchar);
EVR_WRAPPER(getchar_unlocked);
EVR_WRAPPER(putchar);
EVR_WRAPPER(putchar_unlocked);
EVR_WRAPPER(fclose);
EVR_WRAPPER(fileno);
EVR_WRAPPER(fgetc);
EVR_WRAPPER(ungetc);
EVR_WRAPPER(fread);
EVR_WRAPPER(fgets);
EVR_WRAPPER(getdelim);
EVR_WRAPPER(getline);
EVR_WRAPPER(fputs);
EVR_WRAPPER(puts);
EVR_WRAPPER(fputc);
EVR_WRAPPER(fwrite);
EVR_WRAPPER(perror);
EVR_WRAPPER(fflush);
EVR_WRAPPER(feof);
EVR_WRAPPER(ferror);
EVR_WRAPPER(clearerr);
EVR_WRAPPER(fseeko);
EVR_WRAPPER(fseeko64);
EVR_WRAPPER(fseek);
EVR_WRAPPER(ftello);
EVR_WRAPPER(ftello64);
EVR_WRAPPER(ftell);
EVR_WRAPPER(rewind);
EVR_WRAPPER(setvbuf);
EVR_WRAPPER(setbuf);
EVR_WRAPPER(setlinebuf);
EVR_WRAPPER(flockfile);
EVR_WRAPPER(funlockfile);
EVR_WRAPPER(fread_unlocked);
EVR_WRAPPER(fwrite_unlocked);
EVR_WRAPPER(fputs_unlocked);
EVR_WRAPPER(fgets_unlocked);
EVR_WRAPPER(fflush_unlocked);
EVR_WRAPPER(feof_unlocked);
EVR_WRAPPER(ferror_unlocked);
EVR_WRAPPER(clearerr_unlocked);
EVR_WRAPPER(fgetpos);
EVR_WRAPPER(fsetpos);
EVR_WRAPPER(setbuffer);
EVR_WRAPPER(fileno_unlocked);

/* By the names that the library's headers or _FORTIFY_SOURCE give them. */
char *evr_libc___fgets_chk(char *to, size_t room, int size, FILE *stream);
char *evr_libc___fgets_unlocked_chk(char *to, size_t room, int size, FILE *stream);
size_t evr_libc___fread_unlocked_chk(void *to, size_t room, size_t size, size_t n, FILE *stream);
size_t evr_libc___fread_chk(void *to, size_t room, size_t size, size_t n, FILE *stream);

/* memstream.c */
EVR_WRAPPER(fmemopen);
EVR_WRAPPER(open_memstream);

/* err.c */
EVR_WRAPPER(warn);
EVR_WRAPPER(warnx);
EVR_WRAPPER(vwarn);
EVR_WRAPPER(vwarnx);
void evr_libc_err(int status, const char *format, ...);
void evr_libc_errx(int status, const char *format, ...);
void evr_libc_verr(int status, const char *format, va_list args);
void evr_libc_verrx(int status, const char *format, va_list args);
EVR_WRAPPER(error);

/* descriptor.c */
EVR_WRAPPER(open);
EVR_WRAPPER(open64);
EVR_WRAPPER(close);
EVR_WRAPPER(read);
EVR_WRAPPER(write);
EVR_WRAPPER(lseek);
EVR_WRAPPER(lseek64);
EVR_WRAPPER(isatty);
EVR_WRAPPER(mkstemp);
EVR_WRAPPER(mkstemp64);
EVR_WRAPPER(remove);
EVR_WRAPPER(unlink);
EVR_WRAPPER(rename);
EVR_WRAPPER(creat);
EVR_WRAPPER(creat64);
EVR_WRAPPER(pread);
EVR_WRAPPER(pread64);
EVR_WRAPPER(pwrite);
EVR_WRAPPER(pwrite64);
EVR_WRAPPER(readv);
EVR_WRAPPER(writev);
EVR_WRAPPER(mkostemp);

/* By the names that the library's headers or _FORTIFY_SOURCE give them. */
ssize_t evr_libc___read_chk(int fd, void *to, size_t n, size_t room);

/* status.c */
EVR_WRAPPER(stat);
EVR_WRAPPER(lstat);
EVR_WRAPPER(fstat);
EVR_WRAPPER(stat64);
EVR_WRAPPER(lstat64);
EVR_WRAPPER(fstat64);
EVR_WRAPPER(access);
EVR_WRAPPER(ftruncate);
EVR_WRAPPER(ftruncate64);
EVR_WRAPPER(fsync);
EVR_WRAPPER(fdatasync);
EVR_WRAPPER(fcntl);
EVR_WRAPPER(fcntl64);
EVR_WRAPPER(getcwd);

/* What our own sources must not call; see base/banned.h. */
#ifdef EVR_ALLOW_BANNED
EVR_WRAPPER(sprintf);
EVR_WRAPPER(vsprintf);
#endif

#endif
