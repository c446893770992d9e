# Programs for the tests of the web page, in the current folder.
cp "$TOP/examples/sb.c" "$TOP"/tests/findings/{deadlock_abba,cond_lost_wakeup,race_relaxed}.c "$TOP/tests/programs/run.h" .

# Whatever could be taken for HTML, JSON or an end of the script, and bytes that are no UTF-8.
{
	cat <<-'END'
	#include <assert.h>
	#include <pthread.h>
	#include <stdio.h>
	/* </script> <!-- <script> &amp; &lt; ' " \ \u003c ${x} `y` ]]> --> */
	END
	printf '// Latin-1: caf\xe9; separators: \xe2\x80\xa8 \xe2\x80\xa9; an emoji \xf0\x9f\x98\x80; cut: \xf0\x9f\x98\n'
	cat <<-'END'
	static struct { int a[2]; } shared;
	static const char *text = "</script><script>window.broken = 2</script>";
	static void *set(void *unused)
	{
		shared.a[1] = text[0] == '<' && 1 < 2;
		return unused;
	}
	int main(void)
	{
		pthread_t t;
		pthread_create(&t, 0, set, 0);
		printf("<b>bold & \"quoted\" <!-- <script> \x01 \xff\n");
		if (shared.a[1])
			assert(!"</script><script>window.broken = 1</script>");
		pthread_join(t, 0);
		return 0;
	}
	END
} >odd.c
