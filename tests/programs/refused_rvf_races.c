// everett: -e rvf --races
// refused: equivalence 'rvf' cannot detect data races
int main(void)
{
	return 0;
}
