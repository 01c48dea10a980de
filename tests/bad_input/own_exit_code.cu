// The program's own exit code passes through.
int main() { return 42; }
