/* cpu_quota.c: see cpu_quota.h. Thread-safe: no shared state.
 *
 *     /proc/self/cgroup       the process's groups: 0::GROUP in version 2, N:CONTROLLERS:GROUP in
 *                             version 1
 *     /proc/self/mountinfo    where groups are files: N N N ROOT POINT ... - TYPE SOURCE OPTIONS
 *     cpu.max                 of a group in version 2: QUOTA PERIOD, or max PERIOD
 *     cpu.cfs_quota_us        of a group in version 1, beside cpu.cfs_period_us; -1: no quota
 *
 * The folder POINT is the group ROOT, and its subfolders are the groups below. A container sees its
 * own group or an outer one there.
 */
#define _POSIX_C_SOURCE 200809L          /* strtok_r */
#include "common/base/cpu_quota.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE = 2048,                 /* longer lines are skipped */
    GROUP = 1024
};

/* The process's groups that limit CPUs; "": none. */
typedef struct groups {
    char v1[GROUP], v2[GROUP];
} groups;

/* ---- files --------------------------------------------------------------------------------- */

static FILE *open_file(const char *folder, const char *name)
{
    char path[LINE];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);

    return length > 0 && (size_t)length < sizeof path ? fopen(path, "re") : NULL;
}

/* Reads a line without its end; a line that is too long is empty. Returns 0 at the file's end. */
static int read_line(FILE *file, char line[LINE])
{
    size_t length;

    if (fgets(line, LINE, file) == NULL)
        return 0;
    length = strlen(line);
    if (length > 0 && line[length - 1] == '\n') {
        line[length - 1] = '\0';
    } else if (!feof(file)) {
        line[0] = '\0';
        for (int c = 0; c != '\n' && c != EOF;)
            c = fgetc(file);
    }
    return 1;
}

/* The first line of a file; "" if there is none. */
static void read_first_line(const char *folder, const char *name, char line[LINE])
{
    FILE *file = open_file(folder, name);

    if (file == NULL || !read_line(file, line))
        line[0] = '\0';
    if (file != NULL)
        fclose(file);
}

/* Whether `word` is in a list with commas. */
static int has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);

    while (strcspn(list, ",") != length || strncmp(list, word, length) != 0) {
        list += strcspn(list, ",");
        if (*list == '\0')
            return 0;
        list++;
    }
    return 1;
}

/* ---- the process's groups ------------------------------------------------------------------ */

static void read_group(char *line, groups *g)
{
    char *controllers = strchr(line, ':'), *path = NULL;

    if (controllers != NULL)
        path = strchr(++controllers, ':');
    if (path == NULL || strlen(path + 1) >= GROUP)
        return;
    *path++ = '\0';
    if (*controllers == '\0')
        strcpy(g->v2, path);
    else if (has_word(controllers, "cpu"))
        strcpy(g->v1, path);
}

static void read_groups(const char *system, groups *g)
{
    FILE *file = open_file(system, "proc/self/cgroup");
    char line[LINE];

    g->v1[0] = g->v2[0] = '\0';
    if (file == NULL)
        return;
    while (read_line(file, line))
        read_group(line, g);
    fclose(file);
}

/* ---- their quotas -------------------------------------------------------------------------- */

static int32_t quota_of(const char *folder)
{
    char line[LINE], *rest = line;
    long long quota, period, cpus;

    read_first_line(folder, "cpu.max", line);
    if (line[0] != '\0') {
        quota = strtoll(line, &rest, 10);            /* "max": 0 */
        period = strtoll(rest, NULL, 10);
    } else {
        read_first_line(folder, "cpu.cfs_quota_us", line);
        quota = strtoll(line, NULL, 10);
        read_first_line(folder, "cpu.cfs_period_us", line);
        period = strtoll(line, NULL, 10);
    }
    if (quota <= 0 || period <= 0)
        return INT32_MAX;
    cpus = quota / period + (quota % period != 0);
    return cpus < INT32_MAX ? (int32_t)cpus : INT32_MAX;
}

/* The least quota of a folder and of its parents up to the first `top` bytes of its path. */
static int32_t least_quota(char *folder, size_t top)
{
    int32_t least = INT32_MAX;

    for (;;) {
        const int32_t quota = quota_of(folder);
        char *slash = strrchr(folder, '/');

        least = quota < least ? quota : least;
        if (slash == NULL || (size_t)(slash - folder) < top)
            return least;
        *slash = '\0';
    }
}

/* Replaces \040 and the like by their characters. */
static void unescape(char *text)
{
    char *to = text;

    for (; *text != '\0'; text++)
        if (text[0] == '\\' && text[1] != '\0' && text[2] != '\0' && text[3] != '\0') {
            *to++ = (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
            text += 3;
        } else {
            *to++ = *text;
        }
    *to = '\0';
}

/* The path of a group below `root`; NULL: it is not below. */
static const char *path_below(const char *group, const char *root)
{
    const size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);

    if (group[0] == '\0' || strncmp(group, root, length) != 0 || strstr(group, "/..") != NULL)
        return NULL;
    return group[length] == '/' || group[length] == '\0' ? group + length : NULL;
}

/* The least quota of the process's group and its parents that a mount shows. */
static int32_t quota_of_mount(const char *system, char *line, const groups *g)
{
    char *root = NULL, *point = NULL, *rest = NULL, *field, folder[LINE];
    const char *type, *options, *path;
    int length;

    field = strtok_r(line, " ", &rest);
    for (int i = 0; field != NULL && strcmp(field, "-") != 0; i++) {
        root = i == 3 ? field : root;
        point = i == 4 ? field : point;
        field = strtok_r(NULL, " ", &rest);
    }
    if (field == NULL || point == NULL || (type = strtok_r(NULL, " ", &rest)) == NULL ||
        strtok_r(NULL, " ", &rest) == NULL || (options = strtok_r(NULL, " ", &rest)) == NULL)
        return INT32_MAX;
    if (strcmp(type, "cgroup2") != 0 && (strcmp(type, "cgroup") != 0 || !has_word(options, "cpu")))
        return INT32_MAX;
    unescape(root);
    unescape(point);
    path = path_below(type[6] == '2' ? g->v2 : g->v1, root);
    if (path == NULL)
        return INT32_MAX;
    length = snprintf(folder, sizeof folder, "%s%s%s", system, point, path);
    return length > 0 && (size_t)length < sizeof folder
               ? least_quota(folder, strlen(system) + strlen(point))
               : INT32_MAX;
}

int32_t spmv_cpu_quota(const char *system)
{
    int32_t least = INT32_MAX;
    char line[LINE];
    groups g;
    FILE *file;

    read_groups(system, &g);
    if (g.v1[0] == '\0' && g.v2[0] == '\0')
        return least;
    file = open_file(system, "proc/self/mountinfo");
    if (file == NULL)
        return least;
    while (read_line(file, line)) {
        const int32_t quota = quota_of_mount(system, line, &g);

        least = quota < least ? quota : least;
    }
    fclose(file);
    return least;
}
