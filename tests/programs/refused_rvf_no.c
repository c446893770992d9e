// everett: -e rvf --rvf-no=guide,magic
// refused: 'magic'
int main(void)
{
	return 0;
}
