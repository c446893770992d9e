// everett: --release-sequences=c99
// refused: release sequences are those of c11 or c20, not 'c99'
int main(void)
{
	return 0;
}
