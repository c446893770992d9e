# How each library is built with `everett cc`, and what a harness needs to use it. For every name in the first column of the table
# there is a function build_NAME, called in an empty folder, and a function flags_NAME. $sources has the unpacked packages, $cc is
# the compiler, $1 the folder of the build.

real=$PWD
packages=(ck liburcu jackd2 apr apr-util)

# Timestamps of patched files would make automake regenerate what it has made.
no_automake=(ACLOCAL=: AUTOMAKE=: AUTOCONF=: AUTOHEADER=:)

# Concurrency Kit. Its own assembly is not understood, and it has builtins of the compiler as an alternative. Which of its fences are
# more than a barrier for the compiler is decided by --memory-model. Its configure takes a compiler of one word only.
build_ck() {
	cp -a "$sources/ck/." . && ./configure --use-cc-builtins --memory-model="$1" && make -C src libck.a CC="$cc"
}
build_ck-tso() { build_ck tso; }
build_ck-pso() { build_ck pso; }
build_ck-rmo() { build_ck rmo; }
flags_ck() { echo "-DCK_USE_CC_BUILTINS=1 -I$1/include -I$1/src $1/src/libck.a"; }
flags_ck-tso() { flags_ck "$1"; }
flags_ck-pso() { flags_ck "$1"; }
flags_ck-rmo() { flags_ck "$1"; }

# ck in the words of C11, with fences that can be weakened: see ck_c11.sh.
sites="-include $PWD/../orders/sites.h"
build_ck-c11() {
	cp -a "$sources/ck/." . && ./configure --use-cc-builtins --memory-model=rmo && "$real/ck_c11.sh" && make -C src libck.a CC="$cc $sites"
}
flags_ck-c11() { echo "$sites $(flags_ck "$1")"; }

# liburcu. Its atomic operations for x86 are assembly that is not understood; those for other machines are builtins of the compiler and
# replace them. Its barriers are the ones for x86. It waits by its own substitute for the system call futex.
urcu_parts="-D_URCU_ARCH_UATOMIC_X86_H -include urcu/uatomic/gcc.h -D_URCU_FUTEX_H -include $PWD/urcu_futex.h"
build_urcu() {
	cp -a "$sources/liburcu/." . && ./configure --disable-shared CC="$cc" &&
		make -C src "${no_automake[@]}" CPPFLAGS="$urcu_parts" liburcu-common.la liburcu-mb.la liburcu-qsbr.la lfstack.lo
}
flags_urcu() {
	echo "-I$1/include $urcu_parts $1/src/.libs/liburcu-common.a $1/src/lfstack.o $1/src/.libs/liburcu-mb.a"
}
build_urcu-qsbr() { build_urcu; }
flags_urcu-qsbr() {
	echo "-DQSBR -I$1/include $urcu_parts $1/src/.libs/liburcu-common.a $1/src/.libs/liburcu-qsbr.a"
}

# liburcu in the words of C11, with barriers that can be weakened: see urcu_c11.sh. Of its objects those of urcu.c are compiled as liburcu-mb.
build_urcu-c11() {
	cp -a "$sources/liburcu/." . && ./configure --disable-shared CC="$cc" && "$real/urcu_c11.sh" &&
		make -C src "${no_automake[@]}" CPPFLAGS="$sites -include urcu_c11.h $urcu_parts" liburcu-common.la liburcu-mb.la lfstack.lo
}
flags_urcu-c11() { echo "$sites -include $1/include/urcu_c11.h $(flags_urcu "$1")"; }

# jack's ringbuffer is one file.
build_jack() {
	cp -a "$sources/jackd2/." . && $cc -g -Icommon -Icommon/jack -Iposix -Wno-sign-compare -c common/ringbuffer.c
}
flags_jack() { echo "-I$1/common $1/ringbuffer.o"; }

# APR, and the queue of apr-util, which is one file. The programs that configure runs print what they have found out, which checkers do not;
# so configure gets the machine's compiler.
build_apr() {
	mkdir util && cp -a "$sources/apr/." . && cp -a "$sources/apr-util/." util && ./configure --disable-shared --disable-dso &&
		make CC="$cc" LTFLAGS='--silent --tag=CC' libapr-1.la && sed 's/@[a-z_0-9]*@/0/g' util/include/apu.h.in >util/include/apu.h &&
		$cc -g -D_GNU_SOURCE -D_REENTRANT -Iinclude -Iutil/include -c util/misc/apr_queue.c
}
flags_apr() { echo "-D_GNU_SOURCE -D_REENTRANT -I$1/include -I$1/util/include $1/apr_queue.o $1/.libs/libapr-1.a $(sed -n s/^EXTRA_LIBS=//p "$1/build/apr_rules.mk")"; }
