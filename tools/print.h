/* What the files that print programs share. */
#ifndef EVR_TOOLS_PRINT_H
#define EVR_TOOLS_PRINT_H

#include "program.h"

#include <string.h>

/* The statement's blocks, in braces, and a line break. */
void print_braces(struct evr_strbuf *out, const struct program *p, const struct stmt *s, unsigned depth);
/* A function's body without its braces: registers and statements. */
void print_body(struct evr_strbuf *out, const struct program *p, const struct block *b);

/* How a program tells what came of it. */
#define PRINT_TELL \
	"/* All that a thread knows in the end; role 9 is main, which knows all. */\n" \
	"#define TELL(role) printf(\"%d:%lx \", role, ((r0 * 64ul + r1) * 64 + r2) * 64 + r3);\n" \
	"/* What comes after that is of no interest. */\n" \
	"#define ASSUME(c) { if (!(c)) printf(\"- \"); everett_assume(c); }\n"

/* print_sync.c: flavour `sync`. */
extern const char print_sync_prelude[];
void print_sync(struct evr_strbuf *out, const struct program *p, const struct stmt *s, unsigned depth);
/* The call behind the statement's body, or NULL. */
const char *print_sync_unlock(const struct stmt *s);
void print_sync_once(struct evr_strbuf *out, const struct program *p);
void print_sync_initial(struct evr_strbuf *out, const struct program *p);

void print_block(struct evr_strbuf *out, const struct program *p, const struct block *b, unsigned depth);
/* A load as an expression. */
void print_load(struct evr_strbuf *out, const char *x, enum order order);
extern const char *const print_orders[];
/* What a condition asks about a register; to be freed. */
char *print_condition(const struct program *p, const struct stmt *s);
/* What an access is to, in C; to be freed. */
char *print_place(const struct program *p, const struct stmt *s);

/* print_await.c: flavour `await`. */
extern const char print_await_prelude[];
void print_await(struct evr_strbuf *out, const struct program *p, const struct stmt *s, unsigned depth);
/* The functions that the block's retry loops call. */
void print_await_functions(struct evr_strbuf *out, const struct program *p, const struct block *b);

/* print_fault.c: flavour `fault`. */
extern const char print_fault_prelude[];
void print_fault(struct evr_strbuf *out, const struct program *p, const struct stmt *s);
void print_fault_line(struct evr_strbuf *out, const struct program *p, unsigned line);
/* The functions that the block calls. */
void print_fault_scopes(struct evr_strbuf *out, const struct program *p, const struct block *b);

#endif
