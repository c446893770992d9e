// everett: -e rvf --races
// refused: is not decided by equivalence 'rvf'
int main(void)
{
	return 0;
}
