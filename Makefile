# Everett. `make help` lists what can be made. `make` says which Debian packages it misses, and `make deps` installs them;
# `make demo` and what tests or measures install what they need by themselves.

VERSION := 0.2.0
BUILD := build
PREFIX := /usr/local
DESTDIR :=
LLVM_VERSION := 19
WERROR := -Werror
# SANITIZE=address,undefined: a sanitized driver and archive. CROSS=1: the archive and its unit tests for aarch64.
SANITIZE :=
CROSS :=
# The arguments of tests/run.sh: --quick, --all, or a part of a test's name.
TESTS :=
DEMO := -m sc,tso examples/sb.c

ifeq ($(origin CC),default)
CC := $(if $(CROSS),aarch64-linux-gnu-gcc,$(if $(SANITIZE),clang-$(LLVM_VERSION),gcc))
endif
CFLAGS := -O2 -g
SHELL := /bin/bash
# V=1: show the commands.
V :=
hush := $(if $(V),,@)
say := @$(if $(V),true,echo)
# A -j on the command line wins over this one.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

# make fuzz: how many programs, from which seed.
N := 2000
SEED := 1

.PHONY: all check check-core check-quick check-all check-real check-orders orders-table unit tools fuzz fuzz-readers judge-mutants litmus litmus-cycles bench bench-rvf bench-papers bench-litmus results format lint demo share install uninstall deb check-deb clean help deps browser packages-test packages-real packages-lint packages-browser packages-mpi mpi FORCE
.DELETE_ON_ERROR:
all: $(BUILD)/everett $(BUILD)/libeverett.a $(BUILD)/everett-gdb.py $(BUILD)/everett-cc $(BUILD)/everett-c++

# The machine: compiler, architecture and LLVM, found out once. make starts over after writing an included file, so all that
# is needed is there before anything else is looked at. REQUIRED: the files that were found.

ifneq ($(filter-out clean help format deps packages-%,$(or $(MAKECMDGOALS),all)),)
include $(BUILD)/config.mk
CONFIGURATION := $(CC) | $(CFLAGS) | $(LLVM_VERSION) | $(SANITIZE) | $(CROSS)
ifneq ($(CONFIGURED_FOR) | $(words $(REQUIRED)),$(CONFIGURATION) | $(words $(wildcard $(REQUIRED))))
$(BUILD)/config.mk: FORCE
endif
endif

# The goals that install what is missing. Others say what it is.
installing := $(filter demo check% deps packages-% bench% litmus fuzz% judge-mutants browser lint,$(MAKECMDGOALS))
install_packages = LLVM_VERSION=$(LLVM_VERSION) tools/packages.sh
deps_command := make deps$(patsubst %, %,$(filter LLVM_VERSION=%,$(MAKEOVERRIDES)))

$(BUILD)/config.mk: tools/configure.sh tools/packages.sh
	@mkdir -p $(BUILD)
	@$(if $(installing),$(install_packages) build $(if $(SANITIZE),sanitize) $(if $(CROSS),cross))
	@DEPS='$(deps_command)' tools/configure.sh "$(CC)" $(LLVM_VERSION) $(if $(CROSS),cross) >$@.new
	@echo 'CONFIGURED_FOR := $(CONFIGURATION)' >>$@.new
	@mv $@.new $@

deps: packages-test
	@$(install_packages) build mpi

packages-test packages-real packages-lint packages-browser packages-mpi: packages-%:
	@$(install_packages) $*

# Sources are found by their folder: what is linked into the checked program, and what is not.

core_sources := $(sort $(wildcard $(addsuffix /*.c,$(addprefix src/,base event model explore runtime runtime/*)))) \
	$(wildcard src/report/result.c src/report/wire_*.c) $(wildcard src/runtime/threads/switch_$(ARCH).S)
driver_sources := $(filter-out $(core_sources),$(sort $(wildcard $(addsuffix /*.c,$(addprefix src/,driver report instrument)))))
object = $(patsubst %,$(BUILD)/obj/%.o,$(basename $(1)))
core_objects := $(call object,$(core_sources))
driver_objects := $(call object,$(driver_sources))
main_objects := $(call object,src/runtime/main.c src/driver/main.c)
# What the driver shares with the archive.
shared_objects := $(filter $(BUILD)/obj/src/base/% $(BUILD)/obj/src/report/%,$(core_objects))

warnings := -Wall -Wextra -Wpedantic -Wshadow -Wmissing-prototypes -Wvla $(WERROR)
sanitizer := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer)
compile = $(CC) -c $< -o $@ -MMD -MP -std=gnu11 $(CFLAGS) -fPIE $(warnings) $(sanitizer) -D_GNU_SOURCE -Isrc -Iinclude $(flags)

# Flags that only some folders need. EVR_LINK_FLAGS: what a checker's link needs when the archive is sanitized.
# The inner loop: what runs for each event.
inner := $(addprefix $(BUILD)/obj/src/,event/%.o model/%.o explore/%.o runtime/%.o)
$(inner): flags := $(if $(findstring -O2,$(CFLAGS)),-O3)
# gdb needs the types of the runtime's state; of the rest, lines are enough.
core_debug = $(if $(filter -g,$(CFLAGS)),-g1)
state := $(addprefix $(BUILD)/obj/src/runtime/,sched.o execution.o findings/fault.o)
$(filter-out $(state),$(core_objects)): flags += $(core_debug)
$(BUILD)/obj/src/instrument/%.o: flags := $(LLVM_CFLAGS) -DEVR_LLVM_MAJOR=$(LLVM_VERSION) -I$(BUILD)/generated
$(BUILD)/obj/src/driver/%.o: flags := -DEVR_CLANG='"$(LLVM_BINDIR)/clang"' -DEVR_LINK_FLAGS='"$(sanitizer)"'
$(BUILD)/obj/src/driver/%.o $(BUILD)/obj/src/report/%.o: flags += -DEVR_VERSION='"$(VERSION)"'
$(BUILD)/obj/src/report/html.o: flags += -I$(BUILD)/generated
$(BUILD)/obj/tests/%.o: flags := $(if $(CROSS),-Itests/cross) -DEVR_CLANG='"$(LLVM_BINDIR)/clang"'

$(BUILD)/obj/%.o: %.c $(BUILD)/config.mk
	@mkdir -p $(@D)
	$(say) CC $<
	$(hush)$(compile)

$(BUILD)/obj/%.o: %.S $(BUILD)/config.mk
	@mkdir -p $(@D)
	$(say) CC $<
	$(hush)$(compile)

-include $(patsubst %.o,%.d,$(core_objects) $(driver_objects))

# A source that disappears must leave the archives, too.
$(BUILD)/sources: FORCE
	@mkdir -p $(@D)
	@echo '$(core_sources) $(driver_sources)' >$@.new
	@cmp -s $@ $@.new || cp $@.new $@

archive = rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

# What the checker is made of, member by member, for tools that look at it; and linked beforehand into the one member that checkers are
# linked with, in half the time. That has no debug information but that of the runtime's state, unless it is to be debugged itself.
$(BUILD)/obj/libruntime.a: $(core_objects) $(BUILD)/sources Makefile
	$(say) AR $@
	$(hush)$(archive)
	$(hush)$(OBJCOPY) --wildcard --weaken-symbol='evr_libc_*' $@

prelink = $(CC) $(CFLAGS) -r -nostdlib -o
prelink_quiet := $(if $(core_debug),$(if $(SANITIZE),,-Wl,-S))
$(BUILD)/libeverett.a: $(BUILD)/obj/libruntime.a
	$(say) AR $@
	$(hush)$(prelink) $(BUILD)/obj/quiet.o $(prelink_quiet) $(filter-out $(state),$(core_objects))
	$(hush)$(prelink) $(BUILD)/obj/everett.o $(BUILD)/obj/quiet.o $(filter $(state),$(core_objects))
	$(hush)$(OBJCOPY) --wildcard --weaken-symbol='evr_libc_*' $(BUILD)/obj/everett.o
	$(hush)rm -f $@ && $(AR) rcs $@ $(BUILD)/obj/everett.o

# Wrappers are weak: where the program defines a library function itself, its own is meant (instrument/calls.c).
OBJCOPY := $(if $(CROSS),aarch64-linux-gnu-)objcopy

# The C library's symbols that the archive uses: a program that defines one of them would take it over, so it is refused.
$(BUILD)/generated/instrument/needed.def: $(BUILD)/libeverett.a
	@mkdir -p $(@D)
	$(hush)nm $< | awk 'NF == 2 && $$1 == "U" && $$2 !~ /^(evr_|_GLOBAL_|__asan|__ubsan|__sanitizer)/ { print "NEEDED(\"" $$2 "\")" }' | \
		LC_ALL=C sort -u >$@.new
	@cmp -s $@ $@.new || cp $@.new $@
$(BUILD)/obj/src/instrument/reserved.o: $(BUILD)/generated/instrument/needed.def

# The web page, as lines of C. Every browser that opens it gets it whole.
page := $(patsubst src/%,$(BUILD)/generated/%.def,$(wildcard src/report/page/*))
$(page): $(BUILD)/generated/%.def: src/%
	@mkdir -p $(@D)
	$(hush)sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n",/' $< >$@
$(BUILD)/obj/src/report/html.o: $(page)

# Non-PIE, static LLVM and C++ runtime: no relocations at start-up. See tools/configure.sh.
link_llvm = -no-pie -Wl,--as-needed -Wl,--gc-sections $(LLVM_LIBS) -ljansson -l:libstdc++.a -static-libgcc -lm

$(BUILD)/everett: $(driver_objects) $(shared_objects) $(BUILD)/sources
	$(say) LD $@
	$(hush)$(CC) $(CFLAGS) $(sanitizer) -o $@ $(filter %.o,$^) $(link_llvm)

# The names by which the driver is a compiler.
$(BUILD)/everett-cc $(BUILD)/everett-c++: $(BUILD)/everett
	$(hush)ln -sf everett $@

# Searches by MPI: a program of its own, so that the driver depends on no MPI.

mpi_names := main carrier rank epochs files text
mpi_objects := $(patsubst %,$(BUILD)/obj/src/ranks/%.o,$(mpi_names)) $(patsubst %,$(BUILD)/obj/src/base/%.o,base map strbuf vec)
$(BUILD)/obj/src/ranks/%.o: flags := -DEVR_VERSION='"$(VERSION)"'
# Asked when it is needed, because the packages may have been installed on the way.
$(BUILD)/obj/src/ranks/main.o: flags = -DEVR_VERSION='"$(VERSION)"' $(patsubst -I%,-isystem %,$(shell mpicc --showme:compile))
$(BUILD)/obj/src/ranks/main.o: | packages-mpi
-include $(patsubst %,$(BUILD)/obj/src/ranks/%.d,$(mpi_names))

mpi: $(BUILD)/everett-mpi
$(BUILD)/everett-mpi: $(mpi_objects) $(BUILD)/everett
	$(say) LD $@
	$(hush)$(CC) $(CFLAGS) $(sanitizer) -o $@ $(filter %.o,$^) $(shell mpicc --showme:link)

# Unit tests: each links with what it uses of the archive and, where its name says so, of the driver.

program_objects := $(addprefix $(BUILD)/obj/tools/,program.o random.o random_sync.o random_fault.o random_section.o random_race.o random_c11.o random_c11_loops.o random_await.o interpret_await.o instructions.o components.o print.o print_await.o print_sync.o print_fault.o)

unit_names := $(notdir $(basename $(wildcard tests/unit/test_*.c)))
driver_unit_names := $(filter test_driver% test_report% test_options% test_instrument%,$(unit_names))
core_unit_names := $(filter-out $(driver_unit_names),$(unit_names))
core_units := $(addprefix $(BUILD)/unit/,$(core_unit_names))
driver_units := $(addprefix $(BUILD)/unit/,$(if $(CROSS),,$(driver_unit_names)))
units := $(core_units) $(driver_units)

$(BUILD)/obj/libcore.a: $(filter-out $(main_objects),$(core_objects)) $(BUILD)/sources
	$(say) AR $@
	$(hush)$(archive)

$(BUILD)/obj/libdriver.a: $(filter-out $(main_objects),$(driver_objects)) $(BUILD)/sources
	$(say) AR $@
	$(hush)$(archive)

$(call object,$(addsuffix .c,$(addprefix tests/unit/,$(unit_names)))): | packages-test

link_unit = $(CC) $(CFLAGS) $(sanitizer) -o $@ $(filter %.o,$^) $(filter %.a,$^)
cmocka := $(if $(CROSS),-static,-lcmocka)

$(core_units): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/obj/libcore.a
	@mkdir -p $(@D)
	$(say) LD $@
	$(hush)$(link_unit) $(cmocka)

# The definition of RC11 is a tool, which this one tries.
$(BUILD)/obj/tests/unit/test_define_c11.o: flags += -Itools
$(BUILD)/unit/test_define_c11: $(addprefix $(BUILD)/obj/tools/,define_c11.o threads_c11.o axioms_c11.o litmus_c11.o) $(program_objects)
$(BUILD)/unit/test_define_c11: cmocka += -lm

$(driver_units): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/obj/libdriver.a $(BUILD)/obj/libcore.a
	@mkdir -p $(@D)
	$(say) LD $@
	$(hush)$(link_unit) $(cmocka) $(link_llvm)

# The protocol of ranks needs no MPI.
$(BUILD)/unit/test_driver_ranks: $(patsubst %,$(BUILD)/obj/src/ranks/%.o,rank epochs files)

-include $(patsubst %,$(BUILD)/obj/tests/unit/%.d,$(unit_names))

unit: $(units)

# Random programs, and the judge that compares what is explored of them (docs/judge.md).

tools := $(if $(CROSS),,$(BUILD)/randprog $(BUILD)/judge)
tools: $(tools)
$(BUILD)/obj/tools/%.o: flags := -Itools
$(BUILD)/obj/tools/encode.o: $(BUILD)/generated/tools/machine.c.def
$(BUILD)/obj/tools/encode.o: flags += -I$(BUILD)/generated
$(BUILD)/generated/tools/machine.c.def: tools/machine.c
	@mkdir -p $(@D)
	$(hush)sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n",/' $< >$@
$(BUILD)/judge: $(BUILD)/obj/tools/encode.o $(BUILD)/obj/tools/run.o $(BUILD)/obj/tools/compare.o $(BUILD)/obj/tools/compare_await.o $(BUILD)/obj/tools/compare_c11.o $(BUILD)/obj/tools/interpret.o $(BUILD)/obj/tools/interpret_fault.o $(BUILD)/obj/tools/races.o $(BUILD)/obj/tools/define_c11.o $(BUILD)/obj/tools/threads_c11.o $(BUILD)/obj/tools/axioms_c11.o
$(BUILD)/randprog $(BUILD)/judge: $(BUILD)/%: $(BUILD)/obj/tools/%.o $(program_objects) $(BUILD)/obj/libcore.a
	$(say) LD $@
	$(hush)$(link_unit) -lm
-include $(patsubst %,$(BUILD)/obj/tools/%.d,randprog judge program encode random random_sync random_fault random_section random_race random_c11 random_c11_loops random_await print print_await print_sync print_fault run compare compare_await compare_c11 interpret interpret_fault interpret_await instructions components races define_c11 threads_c11 axioms_c11 litmus_c11)

# What reads text that others write: each target of tests/fuzz with its corpus; by `make fuzz` also with libFuzzer.

fuzz_names := $(if $(CROSS),,options words config json wire schedule database)
fuzz_targets := $(addprefix $(BUILD)/fuzz/,$(fuzz_names))
SECONDS := 20
fuzz_flags := -std=gnu11 -g -O1 -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	-D_GNU_SOURCE -DEVR_VERSION='"$(VERSION)"' -Isrc -Iinclude -I$(BUILD)/generated -Itests/fuzz
# Without the program's main and the commands, which need LLVM; the compiler's words are read with stand-ins for those.
fuzz_sources = tests/fuzz/fuzz.c $(wildcard src/base/*.c src/report/*.c) src/driver/options.c src/driver/models.c
fuzz_sources_config = src/runtime/config.c
fuzz_sources_words = src/driver/cc.c
fuzz_sources_database = src/driver/database.c src/driver/cc.c
fuzz_sources_schedule = $(filter-out src/runtime/main.c src/base/% src/report/%,$(core_sources))

$(BUILD)/obj/tests/fuzz/%.o: flags := -Itests/fuzz
$(fuzz_targets): $(BUILD)/fuzz/%: $(addprefix $(BUILD)/obj/tests/fuzz/,%.o fuzz.o corpus.o) $(BUILD)/obj/libdriver.a $(BUILD)/obj/libcore.a
	@mkdir -p $(@D)
	$(say) LD $@
	$(hush)$(link_unit) -ljansson -lm -Wl,--gc-sections
-include $(patsubst %,$(BUILD)/obj/tests/fuzz/%.d,$(fuzz_names) fuzz corpus)

$(BUILD)/libfuzzer/%: FORCE $(page)
	@mkdir -p $(@D)
	$(say) LD $@
	$(hush)clang-$(LLVM_VERSION) $(fuzz_flags) -o $@ tests/fuzz/$*.c $(fuzz_sources) $(fuzz_sources_$*) -ljansson -lm

fuzz-readers: $(addprefix $(BUILD)/libfuzzer/,$(fuzz_names))
	for name in $(fuzz_names); do \
		mkdir -p $(BUILD)/libfuzzer/corpus/$$name && ASAN_OPTIONS=detect_leaks=0 $(BUILD)/libfuzzer/$$name -max_total_time=$(SECONDS) \
			-timeout=10 -rss_limit_mb=4000 -verbosity=0 -artifact_prefix=$(BUILD)/libfuzzer/$$name- \
			$(BUILD)/libfuzzer/corpus/$$name tests/fuzz/corpus/$$name || exit; \
	done

fuzz: all tools fuzz-readers
	$(BUILD)/judge --count=$(N) --seed=$(SEED) --keep=$(BUILD)/mismatches
	for flavour in mixed free await sync fault section race c11; do \
		$(BUILD)/judge --flavour=$$flavour --count=$$(($(N) / 4)) --seed=$(SEED) --keep=$(BUILD)/mismatches-$$flavour || exit; \
	done

judge-mutants: all tools
	BUILD=$(BUILD) CC='$(CC)' CFLAGS='$(CFLAGS) $(sanitizer)' tests/judge/mutants.sh

# Everything that is checked ends in one line, "N passed, N failed".

configuration := $(foreach v,BUILD CC CFLAGS LLVM_VERSION SANITIZE CROSS,$(v)='$($(v))')
run_tests = BUILD=$(BUILD) CC='$(CC)' UNITS='$(notdir $(units))' MAKE_CONFIGURATION="$(configuration)" tests/run.sh

check: all mpi unit tools $(fuzz_targets) litmus-cycles share packages-test
	@$(run_tests) $(TESTS)

check-core: all unit tools $(fuzz_targets) litmus-cycles
	@$(run_tests) --core $(TESTS)

check-quick: all unit tools $(fuzz_targets) litmus-cycles share packages-test
	@$(run_tests) --quick $(TESTS)

check-cross: unit
	@RUNNER=qemu-aarch64 $(run_tests) unit/

check-all:
	@MAKE='$(MAKE)' tests/all.sh

# Libraries that others have written, from Debian's sources, which are fetched. TESTS: a part of a line of tests/real/table.
check-real: all packages-real
	@BUILD=$(BUILD) EVERETT=$(abspath $(BUILD)/everett) tests/real/run.sh $(if $(TESTS),'$(TESTS)')

# Their memory orders and those of the algorithms in tests/orders, weakened one at a time, under rc11. TESTS: a part of a line of what is printed.
check-orders: all packages-real
	@EVERETT=$(abspath $(BUILD)/everett) tests/orders/run.sh $(if $(TESTS),'$(TESTS)')
	@BUILD=$(BUILD) EVERETT=$(abspath $(BUILD)/everett) tests/real/weaken.sh $(if $(TESTS),'$(TESTS)')

# The same as a section of docs/results.md.
orders-table: all packages-real
	@BUILD=$(BUILD) EVERETT=$(abspath $(BUILD)/everett) tests/orders/publish.sh

# What tests/cli/html-browser.sh looks at web pages with; without it, that test is skipped.
browser: packages-browser
	@mkdir -p $(BUILD)/browser
	@cp tests/browser/package*.json $(BUILD)/browser
	@cd $(BUILD)/browser && npm ci --no-audit --no-fund --loglevel=error

# Litmus tests from cycles. COUNT: how many of them; there are some 8000.
COUNT := 3000

litmus-cycles: $(BUILD)/litmus-cycles
$(BUILD)/litmus-cycles: tools/litmus/cycles.c $(BUILD)/config.mk
	$(say) CC $<
	$(hush)$(CC) -std=gnu11 $(CFLAGS) $(warnings) $(sanitizer) -o $@ $<

# Verdicts for rc11 come from its definition.
litmus-cycles: $(BUILD)/litmus-define
$(BUILD)/obj/tools/litmus/%.o: flags := -Itools
$(BUILD)/litmus-define: $(addprefix $(BUILD)/obj/tools/,litmus/define.o define_c11.o threads_c11.o axioms_c11.o litmus_c11.o) $(program_objects) $(BUILD)/obj/libcore.a
	$(say) LD $@
	$(hush)$(link_unit) -lm
-include $(BUILD)/obj/tools/litmus/define.d

litmus: all litmus-cycles
	@BUILD=$(BUILD) tools/litmus/all.sh $(COUNT)

bench: all packages-test
	@EVERETT=$(abspath $(BUILD)/everett) bench/run.sh

bench-rvf: all packages-test
	@EVERETT=$(abspath $(BUILD)/everett) bench/rvf.sh

# Litmus tests at scale, in the form of paper 000's table 1: COUNT of the generated ones, or all.
bench-litmus: all litmus-cycles
	@BUILD=$(BUILD) bench/litmus.sh $(COUNT)

# The tables of the papers with ours beside them, into $(BUILD)/bench-papers; short runs are tested by `make check` too. BENCH=full: also what
# takes minutes. PART: rows that contain this text. RESUME=1: what the last run has measured is not run again. ROW_SECONDS: the limit for one run.
BENCH :=
PART :=
RESUME :=
bench-papers: all packages-test
	@$(install_packages) bench || true # without gnuplot there are no plots
	@EVERETT=$(abspath $(BUILD)/everett) OUT=$(abspath $(BUILD)/bench-papers) CC='$(CC)' \
		bench/papers/figures.sh $(if $(filter full,$(BENCH)),--full) $(if $(RESUME),--resume) '$(PART)'

# The last run, which must have been of everything, as docs/results.md.
results:
	@OUT=$(abspath $(BUILD)/bench-papers) bench/papers/publish.sh

# The demonstration has a bug: Everett's exit status is 1, and any other is our failure.
demo: all
	@echo '$$ everett check $(DEMO)'
	@status=0; $(BUILD)/everett check $(DEMO) || status=$$?; \
	if [ $$status != 1 ]; then echo "demo: expected exit status 1, got $$status" >&2; exit 1; fi

# Test programs keep their layout: contracts and golden files name their lines.
c_files = $(shell find src include tests/unit tests/cross tests/fuzz tools examples bench -name '*.[ch]' 2>/dev/null)

format:
	@$(install_packages) lint
	clang-format-$(LLVM_VERSION) -i $(c_files)
	find . -name '*.md' -not -path './build*' -exec tools/wrap.py {} +

lint: all packages-lint
	clang-format-$(LLVM_VERSION) --dry-run -Werror $(c_files)
	printf '%s\n' $(filter %.c,$(core_sources) $(driver_sources)) | xargs -P $$(nproc) -I{} clang-tidy-$(LLVM_VERSION) \
		--quiet --warnings-as-errors='*' {} -- -std=gnu11 -D_GNU_SOURCE -Isrc -Iinclude -I$(BUILD)/generated $(LLVM_CFLAGS) -DEVR_VERSION='"$(VERSION)"' \
		-DEVR_CLANG='""' -DEVR_LLVM_MAJOR=$(LLVM_VERSION) -DEVR_LINK_FLAGS='""'
	BUILD=$(BUILD) CC='$(CC)' tools/lint.sh

$(BUILD)/everett-gdb.py: src/driver/everett-gdb.py
	$(hush)cp $< $@

# Manual pages and completions say what the driver itself says as its help.
share: $(BUILD)/share/made
$(BUILD)/share/made: $(BUILD)/everett tools/help.awk tools/manual.sh tools/completion.sh $(wildcard share/man/* share/completion/*)
	@rm -rf $(@D)
	@mkdir -p $(@D)
	$(say) MAN $(@D)/man
	$(hush)tools/manual.sh $(BUILD)/everett $(VERSION) $(@D)/man
	$(hush)tools/completion.sh $(BUILD)/everett $(@D)/completion
	@touch $@

install uninstall: all share
	@tools/install.sh $@ $(BUILD) $(VERSION) '$(PREFIX)' '$(DESTDIR)'

DEBDIR := $(BUILD)
DEBFLAGS :=

deb: all share
	@tools/deb.sh $(BUILD) $(VERSION) $(LLVM_VERSION) $(DEBDIR) $(DEBFLAGS)

# The package on a Debian that has nothing but what it depends on. Needs root, debootstrap and a network.
check-deb: deb
	@tools/cleanroot.sh --deb $(DEBDIR)/everett_$(VERSION)_$$(dpkg --print-architecture).deb $(abspath $(BUILD))/deb-root

clean:
	rm -rf build build-*

help:
	@echo 'make               build/everett and build/libeverett.a'
	@echo 'make mpi           build/everett-mpi, which explores one search on many machines'
	@echo 'make demo          check an example with a bug, and show the failing execution'
	@echo 'make check         all tests; TESTS=PART runs those with PART in their name'
	@echo 'make browser       install Chromium and Playwright, with which make check then tests web pages, too'
	@echo 'make deps          install the Debian packages that building and testing need; make demo and make check do so by themselves'
	@echo 'make check-core    the inner loop: unit tests, lint, litmus tests and one contract of twelve, in less than a minute'
	@echo 'make check-quick   those that take less than two minutes together'
	@echo 'make check-all     all tests in all builds: gcc, clang, sanitizers, LLVM 22, aarch64; and the long sets'
	@echo 'make check-real    third-party libraries (ck, liburcu, jack, apr), fetched from Debian, under all models; TESTS=PART'
	@echo 'make check-orders  algorithms and those libraries under rc11 with each memory order weakened, one at a time; make orders-table: into docs/results.md'
	@echo 'make litmus        COUNT=3000 generated litmus tests under all models'
	@echo 'make fuzz          random programs through all models and engines, compared; N=2000 of them from SEED=1'
	@echo 'make fuzz-readers  random input for the readers of options, reports, the wire and schedules; SECONDS=20 for each (part of make fuzz)'
	@echo 'make judge-mutants test the judge: it must detect deliberate bugs in the models'
	@echo 'make bench         speed, SC, TSO and PSO side by side, RC11 by memory order, and long executions (bench/long.sh); make bench-rvf: of rvf and its heuristics'
	@echo 'make bench-papers  the tables of the papers with ours beside them; BENCH=full: also what takes minutes; PART=TEXT: rows with that text'
	@echo 'make results       docs/results.md from the last make bench-papers BENCH=full'
	@echo 'make bench-litmus  COUNT=500 of the 8260 generated litmus tests, or all, by every model and engine: tests a second, executions, wrong verdicts'
	@echo 'make lint format   what CI checks of the layout and the layers; lay out the sources, and break long lines of the documents'
	@echo 'make install       to PREFIX=$(PREFIX), below DESTDIR; make uninstall removes it'
	@echo 'make deb           a Debian package in build/; make check-deb installs it on a fresh Debian and tries it'
	@echo 'make clean'
	@echo 'Variables: CC (gcc or clang-19), LLVM_VERSION (19 or 22), BUILD, CFLAGS, WERROR=, V=1, SANITIZE=address,undefined'
