/*
 * The runtime is linked with the program and calls the C library by name. A program with a global function or variable of
 * such a name would get those calls, so it is refused. (The names are reserved by ISO C or POSIX; static ones are fine.)
 */
#include "instrument/module.h"

#include <string.h>

static const char *const needed[] = {
#define NEEDED(name) name,
#include "instrument/needed.def"
#undef NEEDED
	"malloc", /* called by the library's other functions, which find the program's */
};

static void check(struct module *m, LLVMValueRef global)
{
	LLVMLinkage linkage = LLVMGetLinkage(global);
	if (LLVMIsDeclaration(global) || linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage)
		return;
	for (size_t i = 0; i < EVR_COUNT(needed); i++)
		if (!strcmp(needed[i], value_name(global)))
			refuse(m, LLVMIsAFunction(global) ? global : NULL,
			       "the program defines '%s', which Everett itself needs from the C library", needed[i]);
}

void reserved_check(struct module *m)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		check(m, f);
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g))
		check(m, g);
}
