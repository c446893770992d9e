/*
 * Inline assembly. What people write for barriers and spinning is understood; anything else is refused, because it could
 * touch memory behind the hooks' back.
 */
#include "instrument/module.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Lower case, without blanks, comments and the percent signs that assembly strings double. */
static char *normalise(const char *text, size_t n)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	bool comment = false;
	for (size_t i = 0; i < n; i++) {
		char c = (char)tolower((unsigned char)text[i]);
		if (c == '#')
			comment = true;
		if (c == '\n') {
			comment = false;
			c = ';';
		}
		if (!comment && !isspace((unsigned char)c) && c != '%')
			evr_strbuf_putc(&out, c);
	}
	return evr_strbuf_take(&out);
}

enum meaning { NOTHING, FENCE_FULL, FENCE_LOADS, FENCE_STORES, UNKNOWN };

static bool is_one_of(const char *s, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(s, *list))
			return true;
	return false;
}

/* lock; addl $0, on the stack: a locked operation that changes nothing. */
static bool is_locked_nothing(const char *s)
{
	if (evr_starts_with(s, "lock"))
		s += 4;
	else
		return false;
	static const char *const operations[] = { "add", "or", NULL };
	for (const char *const *op = operations; *op; op++) {
		size_t n = strlen(*op);
		if (!evr_starts_with(s, *op))
			continue;
		const char *rest = s + n;
		if (*rest == 'l' || *rest == 'q' || *rest == 'b')
			rest++;
		if (evr_starts_with(rest, "$$0x0,") || evr_starts_with(rest, "$$0,"))
			return strstr(rest, "sp)") != NULL;
	}
	return false;
}

static enum meaning meaning_of(const char *s)
{
	static const char *const nothing[] = { "", "pause", "rep", "nop", "repnop", "yield", "isb", "isbsy", NULL };
	static const char *const full[] = { "mfence", "dmbish", "dmbsy", "dsbish", "dsbsy", NULL };
	static const char *const loads[] = { "lfence", "dmbishld", "dmbld", NULL };
	static const char *const stores[] = { "sfence", "dmbishst", "dmbst", NULL };
	if (is_one_of(s, nothing))
		return NOTHING;
	if (is_one_of(s, full) || is_locked_nothing(s))
		return FENCE_FULL;
	if (is_one_of(s, loads))
		return FENCE_LOADS;
	return is_one_of(s, stores) ? FENCE_STORES : UNKNOWN;
}

static enum evr_order order_of_meaning(enum meaning what)
{
	return what == FENCE_FULL ? EVR_SEQ_CST : what == FENCE_LOADS ? EVR_ACQUIRE : EVR_RELEASE;
}

static void insert_fence(struct module *m, LLVMValueRef call, enum meaning what)
{
	LLVMValueRef site = atomic_site_of(m, call, EVR_OPERATION_FENCE, order_of_meaning(what), 0);
	position_before(m, call);
	hook_call(m, HOOK_evr_fence, &site, 1);
}

/* The statements one by one; "lock; addl" is one statement in two. With a module, they become hooks. */
static bool understood(struct module *m, LLVMValueRef call, char *text)
{
	bool all = true;
	for (char *s = text, *end; s; s = end) {
		end = strchr(s, ';');
		if (end && !strncmp(s, "lock;", 5))
			end = strchr(memmove(s + 1, s, 4) ? s + 5 : s, ';'), s++;
		if (end)
			*end++ = '\0';
		enum meaning what = meaning_of(s);
		all = all && what != UNKNOWN;
		if (m && what != NOTHING && what != UNKNOWN)
			insert_fence(m, call, what);
	}
	return all;
}

void assembly_instrument(struct module *m, LLVMValueRef call)
{
	size_t n = 0;
	const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &n);
	char *normal = normalise(text, n);
	/* Empty assembly stays: it may carry values from register to register, and keeps the compiler from reordering. */
	if (normal[strspn(normal, ";")] != '\0') {
		bool value = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
		if (value || !understood(m, call, normal))
			refuse(m, call, "inline assembly '%.*s' is not supported", (int)n, text);
		else
			LLVMInstructionEraseFromParent(call);
	}
	free(normal);
}

bool assembly_is_barrier(LLVMValueRef call)
{
	size_t n = 0;
	const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &n);
	char *normal = normalise(text, n);
	bool value = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
	bool result = !value && understood(NULL, call, normal);
	free(normal);
	return result;
}
