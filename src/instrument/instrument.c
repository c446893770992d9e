/*
 * The way of a module: read, orders, scopes, loops, registers, awaits, hooks, retries, coverage, tables, verify, write.
 *
 * Invariant: the order of the passes matters. Each says at its head what it relies on; module.h tells the order.
 * Either the output is written completely, or there is an error and the caller removes what is left of it.
 */
#include "instrument/instrument.h"

#include "instrument/module.h"
#include "runtime/abi.h"

#include <errno.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *take_message(char *llvm)
{
	char *copy = evr_strdup(llvm ? llvm : "unknown error");
	LLVMDisposeMessage(llvm);
	return copy;
}

/* LLVM's own handler prints the message and ends the process. */
static void ignore_diagnostic(LLVMDiagnosticInfoRef info, void *unused)
{
	(void)info;
	(void)unused;
}

/* What LLVM cannot cope with would end the process with status 1, which means a finding. */
static void fatal(const char *reason)
{
	fprintf(stderr, "everett: internal error of LLVM: %s\n", reason);
	exit(EVR_INTERNAL);
}

static LLVMTargetMachineRef target_machine(const char *triple, char **error)
{
	LLVMTargetRef target;
	char *message = NULL;
	LLVMResetFatalErrorHandler();
	LLVMInstallFatalErrorHandler(fatal);
	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	LLVMInitializeNativeAsmParser();
	if (LLVMGetTargetFromTriple(triple, &target, &message)) {
		*error = take_message(message);
		return NULL;
	}
	/* Per-function attributes carry the user's -m options. Position-independent, so that it links either way. */
	return LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelLess, LLVMRelocPIC,
				       LLVMCodeModelDefault);
}

static int read_module(struct module *m, const char *input, char **error)
{
	LLVMMemoryBufferRef buffer;
	char *message = NULL;
	if (LLVMCreateMemoryBufferWithContentsOfFile(input, &buffer, &message)) {
		*error = take_message(message);
		return -1;
	}
	LLVMContextSetDiagnosticHandler(m->context, ignore_diagnostic, NULL);
	bool bad = LLVMParseBitcodeInContext2(m->context, buffer, &m->module);
	LLVMContextSetDiagnosticHandler(m->context, NULL, NULL);
	LLVMDisposeMemoryBuffer(buffer);
	if (bad)
		*error = evr_format("'%s' is not the bitcode of this LLVM", input);
	return bad ? -1 : 0;
}

static int run_passes(struct module *m, const char *passes, LLVMTargetMachineRef machine, char **error)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef failed = LLVMRunPasses(m->module, passes, machine, options);
	LLVMDisposePassBuilderOptions(options);
	if (!failed)
		return 0;
	char *message = LLVMGetErrorMessage(failed);
	*error = evr_strdup(message);
	LLVMDisposeErrorMessage(message);
	return -1;
}

static int verify(struct module *m, char **error)
{
	char *message = NULL;
	if (!LLVMVerifyModule(m->module, LLVMReturnStatusAction, &message)) {
		LLVMDisposeMessage(message);
		return 0;
	}
	char *text = take_message(message);
	*error = evr_format("internal error: the instrumented module is not valid: %s", text);
	free(text);
	return -1;
}

/* Not by LLVM itself, which ends the process if the disk is full. */
static int write_file(const char *output, const char *bytes, size_t n, char **error)
{
	FILE *out = fopen(output, "we");
	bool failed = !out || fwrite(bytes, 1, n, out) < n;
	int why = errno;
	if (out && fclose(out) && !failed) {
		failed = true;
		why = errno;
	}
	if (failed)
		*error = evr_format("cannot write '%s': %s", output, strerror(why));
	return failed ? -1 : 0;
}

static int write_output(struct module *m, LLVMTargetMachineRef machine, const char *output,
			const struct evr_instrument_options *o, char **error)
{
	char *message = NULL;
	LLVMMemoryBufferRef code;
	if (o->dump) {
		char *text = LLVMPrintModuleToString(m->module);
		int status = write_file(output, text, strlen(text), error);
		LLVMDisposeMessage(text);
		return status;
	}
	if (LLVMTargetMachineEmitToMemoryBuffer(machine, m->module, o->assembly ? LLVMAssemblyFile : LLVMObjectFile,
						&message, &code)) {
		*error = take_message(message);
		return -1;
	}
	int status = write_file(output, LLVMGetBufferStart(code), LLVMGetBufferSize(code), error);
	LLVMDisposeMemoryBuffer(code);
	return status;
}

/* Of a main that is declared void, the status would be whatever the machine's register holds. */
static void return_from_main(struct module *m, LLVMValueRef f)
{
	LLVMTypeRef main_type = LLVMGlobalGetValueType(f), types[3];
	LLVMValueRef arguments[3];
	unsigned n = LLVMCountParamTypes(main_type) < 3 ? LLVMCountParamTypes(main_type) : 3;
	LLVMGetParamTypes(main_type, types);
	LLVMSetValueName2(f, PROGRAM_MAIN ".void", strlen(PROGRAM_MAIN ".void"));
	LLVMValueRef outer = LLVMAddFunction(m->module, PROGRAM_MAIN, LLVMFunctionType(m->i32, types, n, 0));
	LLVMGetParams(outer, arguments);
	LLVMPositionBuilderAtEnd(m->builder, LLVMAppendBasicBlockInContext(m->context, outer, ""));
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	LLVMBuildCall2(m->builder, main_type, f, arguments, n, "");
	LLVMBuildRet(m->builder, const_int(m->i32, 0));
}

static void rename_main(struct module *m)
{
	LLVMValueRef main_function = LLVMGetNamedFunction(m->module, "main");
	LLVMValueRef alias = LLVMGetNamedGlobalAlias(m->module, "main", strlen("main"));
	if (main_function && !LLVMIsDeclaration(main_function)) {
		LLVMSetValueName2(main_function, PROGRAM_MAIN, strlen(PROGRAM_MAIN));
		if (LLVMGetReturnType(LLVMGlobalGetValueType(main_function)) == m->none)
			return_from_main(m, main_function);
	}
	if (alias)
		LLVMSetValueName2(alias, PROGRAM_MAIN, strlen(PROGRAM_MAIN));
}

/* Module-level assembly keeps no source line: where the file has the text, or 0. */
static unsigned find_line(struct module *m, const char *text, size_t n)
{
	size_t length;
	FILE *f = fopen(LLVMGetSourceFileName(m->module, &length), "r");
	char *line = NULL, *wanted = evr_strndup(text, n);
	size_t room = 0;
	unsigned number = 0, found = 0;
	while (f && !found && getline(&line, &room, f) >= 0) {
		number++;
		if (strchr(line, '"') && strstr(line, wanted))
			found = number;
	}
	if (f)
		fclose(f);
	free(line);
	free(wanted);
	return found;
}

static void refuse_assembly(struct module *m, const char *text, int n)
{
	size_t length;
	unsigned line = find_line(m, text, (size_t)n);
	evr_strbuf_printf(&m->errors, "%s:", LLVMGetSourceFileName(m->module, &length));
	if (line)
		evr_strbuf_printf(&m->errors, "%u:", line);
	evr_strbuf_printf(&m->errors, " assembly outside of functions ('%.*s') is not supported\n", n, text);
}

/* Every line of module-level assembly must be a directive: nothing that runs. */
static void check_module_assembly(struct module *m)
{
	size_t n;
	const char *text = LLVMGetModuleInlineAsm(m->module, &n);
	for (size_t i = 0; i < n;) {
		size_t line = i;
		while (line < n && strchr(" \t", text[line]))
			line++;
		size_t end = line;
		while (end < n && text[end] != '\n')
			end++;
		if (end > line && text[line] != '.')
			refuse_assembly(m, text + line, (int)(end - line));
		i = end + 1;
	}
}

/* Of an ifunc that the compiler made up, one of the versions of the function has a source line. */
static LLVMValueRef version_of(struct module *m, LLVMValueRef ifunc)
{
	size_t n = strcspn(value_name(ifunc), ".");
	unsigned length;
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		if (!strncmp(value_name(f), value_name(ifunc), n) && value_name(f)[n] == '.' &&
		    LLVMGetDebugLocFilename(f, &length))
			return f;
	return LLVMGetGlobalIFuncResolver(ifunc);
}

/* The loader would ask which function it is to be before anything is ready for that: a constructor asks instead. */
static int lower_ifuncs(struct module *m, LLVMTargetMachineRef machine, char **error)
{
	if (run_passes(m, "lower-ifunc", machine, error))
		return -1;
	for (LLVMValueRef f = LLVMGetFirstGlobalIFunc(m->module); f; f = LLVMGetNextGlobalIFunc(f))
		refuse(m, version_of(m, f), "this use of '%s', an ifunc, is not supported", value_name(f));
	return 0;
}

static int transform(struct module *m, LLVMTargetMachineRef machine, char **error)
{
	size_t n;
	char *source = evr_strdup(LLVMGetSourceFileName(m->module, &n));
	assembly_lift(m); /* before all that looks at atomic instructions */
	orders_find(m, machine);
	check_module_assembly(m);
	reserved_check(m);
	if (LLVMGetFirstGlobalIFunc(m->module) && lower_ifuncs(m, machine, error)) {
		free(source);
		return -1;
	}
	globals_pad(m); /* first, while all globals are the program's */
	ends_instrument(m);
	scopes_separate(m);
	coverage_find(m);
	loops_instrument(m);
	allocations_find(m);
	locals_pin(m);
	int status = run_passes(m, "function(sroa)", machine, error);
	if (!status && !locals_unpin(m)) {
		*error = evr_format("internal error: LLVM's sroa removed an access of '%s'", source);
		status = -1;
	}
	if (!status) {
		awaits_instrument(m);
		debug_find_locals(m);
		tls_lower(m);
		svcomp_lower(m);
		calls_rename_library(m);
		functions_instrument(m);
		retries_instrument(m);
		coverage_lower(m);
		rename_main(m);
		tables_emit(m, source);
	}
	free(source);
	if (status)
		return -1;
	if (m->errors.len) {
		m->errors.text[m->errors.len - 1] = '\0'; /* the last newline */
		*error = evr_strdup(m->errors.text);
		return -1;
	}
	return verify(m, error);
}

static int inline_fast_paths(struct module *m, LLVMTargetMachineRef machine, char **error)
{
	fast_paths_insert(m);
	return verify(m, error) || run_passes(m, "always-inline", machine, error) ? -1 : 0;
}

int evr_instrument(const char *input, const char *output, const struct evr_instrument_options *o, char **error)
{
	struct module m = { .context = LLVMContextCreate(),
			    .flags = o->ndebug ? EVR_OBJECT_NDEBUG : 0,
			    .verbose = o->verbose };
	int status = read_module(&m, input, error);
	if (!status) {
#if EVR_LLVM_MAJOR < 20
		LLVMSetIsNewDbgInfoFormat(m.module, 0);
#endif
		LLVMTargetMachineRef machine = target_machine(LLVMGetTarget(m.module), error);
		status = machine ? 0 : -1;
		if (!status) {
			module_init(&m);
			status = transform(&m, machine, error);
			if (!status && !o->dump)
				status = inline_fast_paths(&m, machine, error);
			if (!status)
				status = write_output(&m, machine, output, o, error);
			module_release(&m);
			LLVMDisposeTargetMachine(machine);
		}
		LLVMDisposeModule(m.module);
	}
	LLVMContextDispose(m.context);
	return status;
}

int evr_instrument_link_stub(const char *output, const char *driver_path, char **error)
{
	struct module m = { .context = LLVMContextCreate() };
	const struct evr_instrument_options options = { 0 };
	char *triple = LLVMGetDefaultTargetTriple();
	m.module = LLVMModuleCreateWithNameInContext("everett-link", m.context);
	LLVMSetTarget(m.module, triple);
	LLVMTargetMachineRef machine = target_machine(triple, error);
	int status = -1;
	if (machine) {
		LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
		LLVMSetModuleDataLayout(m.module, layout);
		LLVMDisposeTargetData(layout);
		/* Where things are in a checker must not depend on where Everett is: a search may go on elsewhere. */
		size_t room = (strlen(driver_path) / 1024 + 1) * 1024;
		char *padded = evr_alloc(room);
		memcpy(padded, driver_path, strlen(driver_path));
		LLVMValueRef text = LLVMConstStringInContext2(m.context, padded, room, 1);
		free(padded);
		LLVMValueRef path = LLVMAddGlobal(m.module, LLVMTypeOf(text), "evr_driver_path");
		LLVMSetInitializer(path, text);
		LLVMSetGlobalConstant(path, 1);
		status = write_output(&m, machine, output, &options, error);
		LLVMDisposeTargetMachine(machine);
	}
	LLVMDisposeMessage(triple);
	LLVMDisposeModule(m.module);
	LLVMContextDispose(m.context);
	return status;
}

const char *evr_instrument_llvm_version(void)
{
	static char text[32];
	unsigned major, minor, patch;
	LLVMGetVersion(&major, &minor, &patch);
	snprintf(text, sizeof(text), "%u.%u.%u", major, minor, patch);
	return text;
}
