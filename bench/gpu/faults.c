/* faults.c: see faults.h. */
#include "bench/gpu/faults.h"

#include <stdio.h>
#include <string.h>

void gpu_faults_find(const char *path, const char *label, char *why, size_t why_bytes)
{
    const size_t length = strlen(label);
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[1024];

    why[0] = '\0';
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, label, length) == 0 && line[length] == ':')
            snprintf(why, why_bytes, "%s", line + length + 1 + (line[length + 1] == ' '));
    }
    if (file)
        fclose(file);
}

bool gpu_faults_add(const char *path, const char *line)
{
    FILE *file = path ? fopen(path, "a") : NULL;
    bool good = file && fprintf(file, "%.*s\n", (int)strcspn(line, "\n"), line) > 0;

    if (file && fclose(file) != 0)
        good = false;
    return good;
}
