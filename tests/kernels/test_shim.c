/* test_shim.c: tests that the shim (shim.h) behaves like a device: collectives of subgroups
 * exchange values, and a work-item that reaches another collective, or no collective, is an
 * error. */
#include "opencl_shim.h"
#include "../tap.h"

enum { ITEMS = 24, SUBGROUP = 8, GROUPS = 3, SEEDS = 20, LOCAL_BYTES = 256 };

static double result[GROUPS][ITEMS];
static int order[ITEMS], arrived;

/* ---- kernels that are right ---------------------------------------------------------------- */

/* The value of each work-item, chosen so that sums of subgroups are exact. */
static double brought(int64_t group, int item)
{
    return (double)(group * 1000 + item * item);
}

static void add_by_shuffles(const void *const *argument)
{
    double value = brought(shim_group, shim_item);

    (void)argument;
    for (int width = SUBGROUP / 2; width > 0; width /= 2)
        value = value + sub_group_shuffle(value, shim_item % SUBGROUP + width);
    result[shim_group][shim_item] = sub_group_shuffle(value, 0);
}

static void shift_up(const void *const *argument)
{
    const float value = (float)(shim_item + 1);
    const float before = sub_group_shuffle(value, shim_item % SUBGROUP - 1);

    (void)argument;
    result[shim_group][shim_item] = before;
}

/* Subgroups may take different branches if all items of a subgroup take the same branch. */
static void part_by_subgroup(const void *const *argument)
{
    int value = shim_item;

    (void)argument;
    for (uint i = 0; i < get_sub_group_id(); i++)
        value += sub_group_shuffle(value, i);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    order[arrived++ % ITEMS] = (int)get_sub_group_id();
    barrier(CLK_LOCAL_MEM_FENCE);
    result[shim_group][shim_item] = value;
}

/* Reads through a register of AMD's wavefronts, as two words. */
static void read_register(const void *const *argument)
{
    const int2 words = as_int2(brought(shim_group, shim_item));
    const int place = 4 * (int)(get_sub_group_local_id() ^ 1);
    int2 other;

    (void)argument;
    other.x = __builtin_amdgcn_ds_bpermute(place, words.x);
    other.y = __builtin_amdgcn_ds_bpermute(place, words.y);
    result[shim_group][shim_item] = as_double(other);
}

/* Local memory keeps nothing from the group before, and work-items share their declared arrays. */
static void pass_on(const void *const *argument)
{
    double *const value = shim_local(ITEMS * sizeof *value);
    int *const mark = shim_local(sizeof *mark);
    const int next = (shim_item + 1) % ITEMS;
    const bool is_fresh = value[shim_item] != brought(shim_group - 1, shim_item) &&
                          value[shim_item] != brought(shim_group + 1, shim_item);

    (void)argument;
    if (shim_item == 5)
        *mark = (int)shim_group + 70;
    value[shim_item] = brought(shim_group, shim_item);
    barrier(CLK_LOCAL_MEM_FENCE);
    result[shim_group][shim_item] = is_fresh && *mark == shim_group + 70 ? value[next] : -1;
}

/* ---- kernels with a fault ------------------------------------------------------------------ */

static void leave_one_out(const void *const *argument)
{
    (void)argument;
    if (shim_item != 13)
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}

static void go_to_different_ones(const void *const *argument)
{
    double value = shim_item;

    (void)argument;
    if (shim_item % SUBGROUP < 3)
        value = sub_group_shuffle(value, shim_item % SUBGROUP + 1);
    else
        value = sub_group_shuffle(value, shim_item % SUBGROUP + 1);
    result[shim_group][shim_item] = value;
}

static void stop_early(const void *const *argument)
{
    double value = shim_item;

    (void)argument;
    for (int i = 0; i < (shim_item == 20 ? 2 : 3); i++)
        value = sub_group_shuffle(value, shim_item % SUBGROUP - 1);
    result[shim_group][shim_item] = value;
}

static void mix_with_a_barrier(const void *const *argument)
{
    (void)argument;
    if (shim_item == 5)
        barrier(CLK_LOCAL_MEM_FENCE);
    else
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}

static void part_at_a_barrier(const void *const *argument)
{
    (void)argument;
    if (get_sub_group_id() == 1)
        barrier(CLK_LOCAL_MEM_FENCE);
}

/* ---- tests --------------------------------------------------------------------------------- */

static const char *run(const char *name, void (*call)(const void *const *), int subgroup,
                       uint64_t seed)
{
    const shim_kernel kernel = { name, call };

    return shim_run(&kernel, NULL, (shim_shape){ GROUPS, ITEMS, subgroup, LOCAL_BYTES }, seed);
}

typedef double expectation(int64_t group, int item);

static double expect_sum(int64_t group, int item)
{
    double sum = 0;

    for (int i = 0; i < SUBGROUP; i++)
        sum += brought(group, item - item % SUBGROUP + i);
    return sum;
}

/* 0: not compared, since no item stands before the first. */
static double expect_before(int64_t group, int item)
{
    (void)group;
    return item % SUBGROUP == 0 ? 0 : item;
}

static double expect_own_way(int64_t group, int item)
{
    const int first = item - item % SUBGROUP;
    const int shuffles = item / SUBGROUP;

    /* The first item gives the value at place 0, the second the new value at place 1. */
    (void)group;
    return item + (shuffles > 0 ? first : 0) + (shuffles > 1 ? first + 1 + first : 0);
}

static double expect_neighbour(int64_t group, int item)
{
    return brought(group, item ^ 1);
}

static double expect_next(int64_t group, int item)
{
    return brought(group, (item + 1) % ITEMS);
}

static void expect_right(const char *name, void (*call)(const void *const *), expectation *expected)
{
    const char *wrong = NULL;
    int different = 0;

    for (uint64_t seed = 0; seed < SEEDS && !wrong; seed++) {
        wrong = run(name, call, SUBGROUP, seed);
        for (int g = 0; g < GROUPS; g++)
            for (int i = 0; i < ITEMS; i++) {
                const double value = expected(g, i);
                different += value != 0 && result[g][i] != value;
            }
    }
    ok(!wrong && !different, "%s: %s, %d values are wrong", name, wrong ? wrong : "runs",
       different);
}

static void expect_fault(const char *name, void (*call)(const void *const *))
{
    int found = 0;
    const char *wrong = NULL;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        wrong = run(name, call, SUBGROUP, seed);
        found += wrong != NULL;
    }
    ok(found == SEEDS, "%s is found, whatever the order: %s", name, wrong ? wrong : "no fault");
}

static void test_garbage(void)
{
    int garbage = 0;

    run("shift_up", shift_up, SUBGROUP, 1);
    for (int i = 0; i < ITEMS; i += SUBGROUP)
        garbage += isnan(result[0][i]);
    ok(garbage == ITEMS / SUBGROUP, "what comes from no place is no number");
}

/* Subgroups must overtake each other, or races between them would stay unnoticed. */
static void test_order(void)
{
    int firsts[ITEMS / SUBGROUP] = { 0 };
    int seen = 0;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        arrived = 0;
        run("part_by_subgroup", part_by_subgroup, SUBGROUP, seed);
        firsts[order[0]]++;
    }
    for (int i = 0; i < ITEMS / SUBGROUP; i++)
        seen += firsts[i] > 0;
    ok(seen == ITEMS / SUBGROUP, "each subgroup is the first one at times");
}

int main(void)
{
    const char *wrong = run("add_by_shuffles", add_by_shuffles, SUBGROUP, 0);

    if (wrong && strstr(wrong, "no fibers")) {
        skip("%s", wrong);
        return tap_done();
    }
    expect_right("add_by_shuffles", add_by_shuffles, expect_sum);
    expect_right("shift_up", shift_up, expect_before);
    expect_right("part_by_subgroup", part_by_subgroup, expect_own_way);
    expect_right("read_register", read_register, expect_neighbour);
    expect_right("pass_on", pass_on, expect_next);
    test_garbage();
    test_order();
    expect_fault("leave_one_out", leave_one_out);
    expect_fault("go_to_different_ones", go_to_different_ones);
    expect_fault("stop_early", stop_early);
    expect_fault("mix_with_a_barrier", mix_with_a_barrier);
    expect_fault("part_at_a_barrier", part_at_a_barrier);
    wrong = run("add_by_shuffles", add_by_shuffles, 7, 0);
    ok(wrong && strstr(wrong, "not a whole one"), "a part of a subgroup is refused: %s",
       wrong ? wrong : "runs");
    return tap_done();
}
