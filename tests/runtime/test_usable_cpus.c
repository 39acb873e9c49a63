/* test_usable_cpus.c: CPUs are counted by the process's affinity, and by the quotas of its control
 * groups, in made folders that stand for a system. */
#define _GNU_SOURCE              /* sched_setaffinity */
#include "common/base/cpu_quota.h"
#include "common/base/usable_cpus.h"
#include "folder.h"

#include "../tap.h"

#include <limits.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Writes a file and the folders that it is in. */
static void put(const char *path, const char *text)
{
    char folder[512];

    for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        mkdir(folder, 0700);
    }
    folder_put(path, text, strlen(text));
}

/* ---- systems ------------------------------------------------------------------------------- */

#define V2_MOUNT "31 23 0:28 / /cg rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1_MOUNT "40 32 0:33 / /cg/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"

typedef struct system_case {
    const char *name;
    const char *cgroup, *mountinfo;
    struct {
        const char *path, *text;
    } file[4];
    int32_t quota;
} system_case;

static const system_case cases[] = {
    {"version 2, one CPU", "0::/a\n", V2_MOUNT, {{"cg/a/cpu.max", "100000 100000\n"}}, 1},
    {"half a CPU", "0::/a\n", V2_MOUNT, {{"cg/a/cpu.max", "50000 100000\n"}}, 1},
    {"one and a half", "0::/a\n", V2_MOUNT, {{"cg/a/cpu.max", "150000 100000\n"}}, 2},
    {"another period", "0::/a\n", V2_MOUNT, {{"cg/a/cpu.max", "30000 10000\n"}}, 3},
    {"no quota", "0::/a\n", V2_MOUNT, {{"cg/a/cpu.max", "max 100000\n"}}, INT32_MAX},
    {"a parent's", "0::/a/b/c\n", V2_MOUNT,
     {{"cg/a/cpu.max", "200000 100000\n"}, {"cg/a/b/cpu.max", "max 100000\n"},
      {"cg/a/b/c/cpu.max", "400000 100000\n"}}, 2},
    {"a neighbour's and a child's", "0::/a\n", V2_MOUNT,
     {{"cg/a/cpu.max", "max 100000\n"}, {"cg/b/cpu.max", "100000 100000\n"},
      {"cg/a/c/cpu.max", "100000 100000\n"}}, INT32_MAX},
    {"a container's root", "0::/\n", V2_MOUNT, {{"cg/cpu.max", "200000 100000\n"}}, 2},
    {"a container that sees outer names", "0::/pod/a\n",
     "31 23 0:28 /pod/a /cg ro - cgroup2 cgroup rw\n", {{"cg/cpu.max", "200000 100000\n"}}, 2},
    {"a group below the mounted one", "0::/pod/a/b\n",
     "31 23 0:28 /pod/a /cg ro - cgroup2 cgroup rw\n",
     {{"cg/cpu.max", "max 100000\n"}, {"cg/b/cpu.max", "300000 100000\n"}}, 3},
    {"another group's mount", "0::/pod/ab\n", "31 23 0:28 /pod/a /cg ro - cgroup2 cgroup rw\n",
     {{"cg/cpu.max", "100000 100000\n"}, {"cg/b/cpu.max", "100000 100000\n"}}, INT32_MAX},
    {"a group outside of the mounts", "0::/../b\n", V2_MOUNT,
     {{"b/cpu.max", "100000 100000\n"}, {"cg/cpu.max", "100000 100000\n"}}, INT32_MAX},
    {"a mount with a space", "0::/a\n", "31 23 0:28 / /c\\040g rw - cgroup2 cgroup2 rw\n",
     {{"c g/a/cpu.max", "300000 100000\n"}}, 3},
    {"version 1", "5:cpuset:/x\n4:cpuacct,cpu:/a\n", V1_MOUNT,
     {{"cg/cpu,cpuacct/a/cpu.cfs_quota_us", "250000\n"},
      {"cg/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}}, 3},
    {"version 1 without a quota", "4:cpu,cpuacct:/a\n", V1_MOUNT,
     {{"cg/cpu,cpuacct/a/cpu.cfs_quota_us", "-1\n"},
      {"cg/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}}, INT32_MAX},
    {"version 1, a parent's, beside version 2", "4:cpu,cpuacct:/a/b\n0::/a\n",
     "30 32 0:30 / /cg/cpuset rw,relatime - cgroup cgroup rw,cpuset\n" V1_MOUNT V2_MOUNT,
     {{"cg/cpu,cpuacct/a/cpu.cfs_quota_us", "200000\n"},
      {"cg/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}, {"cg/a/cgroup.procs", "1\n"}}, 2},
    {"another controller's group", "4:cpuset:/a\n3:cpu,cpuacct:/\n", V1_MOUNT,
     {{"cg/cpu,cpuacct/a/cpu.cfs_quota_us", "100000\n"},
      {"cg/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}}, INT32_MAX},
    {"no such folder", "0::/a\n", V2_MOUNT, {{NULL, NULL}}, INT32_MAX},
    {"no mount", "0::/a\n", "", {{"cg/a/cpu.max", "100000 100000\n"}}, INT32_MAX},
    {"no group", "", V2_MOUNT, {{"cg/cpu.max", "100000 100000\n"}}, INT32_MAX},
    {"no file of the process", NULL, NULL, {{"cg/cpu.max", "100000 100000\n"}}, INT32_MAX},
    {"damaged lines", "\n:\n::\n0::\n0::/a", "\n- -\n1 2 3 - cgroup2\n1 2 3 / /cg x - cgroup2 c\n"
     "31 23 0:28 / /cg rw - cgroup2 cgroup2 rw", {{"cg/a/cpu.max", "400000 100000"}}, 4},
    {"damaged quotas", "0::/a/b/c\n", V2_MOUNT,
     {{"cg/a/b/c/cpu.max", "100000\n"}, {"cg/a/b/cpu.max", "-5 100000\n"},
      {"cg/a/cpu.max", "x y\n"}, {"cg/cpu.max", "99999999999999999999 1\n"}}, INT32_MAX},
};

static void test_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const system_case *c = &cases[i];
        int32_t quota;

        folder_enter();
        if (c->cgroup != NULL)
            put("proc/self/cgroup", c->cgroup);
        if (c->mountinfo != NULL)
            put("proc/self/mountinfo", c->mountinfo);
        for (int k = 0; k < 4 && c->file[k].path != NULL; k++)
            put(c->file[k].path, c->file[k].text);
        quota = spmv_cpu_quota(".");
        ok(quota == c->quota, "%s: %d CPUs, expected %d", c->name, (int)quota, (int)c->quota);
        folder_leave();
    }
}

/* Lines that are longer than any buffer, before the one that counts. */
static void test_long_lines(void)
{
    enum { BYTES = 20000 };
    char *text = malloc(BYTES + sizeof V2_MOUNT);

    memset(text, 'a', BYTES);
    text[BYTES - 1] = '\n';
    folder_enter();
    strcpy(text + BYTES, "0::/a\n");
    put("proc/self/cgroup", text);
    strcpy(text + BYTES, V2_MOUNT);
    put("proc/self/mountinfo", text);
    put("cg/a/cpu.max", "100000 100000\n");
    ok(spmv_cpu_quota(".") == 1, "long lines are skipped");
    folder_leave();
    free(text);
}

/* ---- this system --------------------------------------------------------------------------- */

static void test_affinity(void)
{
    cpu_set_t all, one;
    int first = 0;

    if (sched_getaffinity(0, sizeof all, &all) != 0) {
        skip("the affinity is unknown here");
        return;
    }
    ok(spmv_usable_cpus() >= 1 && spmv_usable_cpus() <= CPU_COUNT(&all) &&
       spmv_usable_cpus() <= spmv_cpu_quota(""),
       "at most the CPUs of the affinity and of the quota: %d", (int)spmv_usable_cpus());
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ok(sched_setaffinity(0, sizeof one, &one) == 0 && spmv_usable_cpus() == 1,
       "one CPU, if the affinity has one");
    sched_setaffinity(0, sizeof all, &all);
}

int main(void)
{
    test_cases();
    test_long_lines();
    test_affinity();
    return tap_done();
}
