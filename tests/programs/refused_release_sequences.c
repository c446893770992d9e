// everett: --release-sequences=c99
// refused: option '--release-sequences' needs c11 or c20, not 'c99'
int main(void)
{
	return 0;
}
