/* variables.c, for test_variables.py: prints whether the process has privileges that its caller
 * lacks. Then prints the value that libspmv sees of each variable named by an argument, or
 * "unset". */
#define _DEFAULT_SOURCE
#include "runtime/base/environment.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    puts(getuid() != geteuid() ? "privileged" : "ordinary");
    for (int i = 1; i < argc; i++) {
        const char *value = spmv_variable(argv[i]);

        puts(value != NULL ? value : "unset");
    }
    return 0;
}
