# What a page shows against what is printed.
# like PATTERN TEXT: a line "..." in the file PATTERN stands for any number of lines of TEXT.
like() {
	awk 'FNR == NR { p[++n] = $0; next }
		{ l[++m] = $0 }
		function fits(i, j) {
			for (; i <= n && p[i] != "..."; i++) {
				if (j > m || l[j] != p[i]) {
					if (j > far) { far = j; want = p[i] }
					return 0
				}
				j++
			}
			if (i > n)
				return j > m
			for (; j <= m + 1; j++)
				if (fits(i + 1, j))
					return 1
			return 0
		}
		END {
			if (fits(1, 1))
				exit 0
			print "wanted:  " want "\nprinted: " l[far]
			exit 1
		}' "$1" "$2"
}
