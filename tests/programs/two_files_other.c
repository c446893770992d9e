// part-of: two_files.c
int across = 9, other_only = 4;
static int mine = 2;
int get_static(void);
int get_static(void)
{
	return mine;
}
int *static_address(void);
int *static_address(void)
{
	return &mine;
}
int weak_one(void);
int weak_one(void)
{
	return 2;
}
static int add_one(int n)
{
	return n + 1;
}
int (*get_function(void))(int);
int (*get_function(void))(int)
{
	return add_one;
}
