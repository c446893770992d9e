/* Nothing: what an execution costs by itself. */
int main(void)
{
	return 0;
}
