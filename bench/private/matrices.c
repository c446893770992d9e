/* Multiplication of matrices: reads of arrays in nested loops. */
#include <assert.h>

enum { N = 100 };

static double a[N][N], b[N][N], c[N][N];

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++) {
			a[i][k] = i + k;
			b[i][k] = i == k;
		}
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++) {
			double sum = 0;
			for (int j = 0; j < N; j++)
				sum += a[i][j] * b[j][k];
			c[i][k] = sum;
		}
	assert(c[3][4] == 7);
	return 0;
}
