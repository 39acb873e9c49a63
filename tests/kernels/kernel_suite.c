/* kernel_suite.c: tries every property on every module that this machine can run.
 *
 *     kernel_suite [--effort NAME] [--share I/N] [--module NAME]... [--device NAME [--shape NAME]]
 *                  [MODULES.so]...
 *
 * Without MODULES.so it tries the modules that are linked into libspmv: with --module only modules
 * of these names, and with --share every N-th module from number I on. Programs for other devices
 * run in the shim (shim.h). With --device only programs are tried: they run on that device through
 * libspmv, and must give the shim's bits; --shape tries only one shape. Efforts:
 *
 *     full       every size (the default)
 *     reduced    fewer sizes, for builds that check every access
 *     brief      still fewer, for many modules or an emulated CPU
 *     races      only tests with several threads, and programs on tiny matrices, for builds that
 *                check for races; modules must have small chunks
 *     sizes      only the largest matrices, for 32-bit addresses
 *     tiny       a few small sizes of every shape, for simulated devices, for checkers that watch
 *                every access, and for modules with small chunks
 *     once       only programs: each case of "tiny" once, for many programs
 *
 * The output is TAP.
 */
#include <stdio.h>
#include <string.h>

#include "../tap.h"
#include "runtime/library/devices/builtin.h"
#include "suite.h"
#include "trap.h"

/* Whether the property is tested for this module, which runs on the CPU. */
static bool applies(const suite *s, property p)
{
    if (p == P_SPECULATES)
        return test_speculation_applies(s->module);
    if (p == P_COLUMNS)
        return s->module->ops->launches_columns != NULL;
    return p == P_SETTINGS ? s->module->ops->setting_count > 0 : p != P_DEVICE;
}

/* Counts the matrices that the module declined. */
static int count_declined(const suite *s)
{
    int declined = 0;

    for (int i = 0; i < PROPERTIES; i++)
        declined += s->declined[i];
    return declined;
}

/* Prints the number of matrices that the method declined; a method that declines all fails. The
 * matrices of EFFORT_SIZES are so large that padding may exceed 32-bit row pointers. */
static void print_declined(const suite *s)
{
    const int declined = count_declined(s);

    if (declined > 0 && s->taken == 0 && s->effort == EFFORT_SIZES)
        skip("%s: declines all %d matrices of this size", s->module->name, declined);
    else if (declined > 0)
        ok(s->taken > 0, "%s: declines %d of %d matrices", s->module->name, declined,
           declined + s->taken);
}

/* Prints one line for each property. */
static void print_properties(const suite *s)
{
    for (int i = 0; i < PROPERTIES; i++) {
        const property p = (property)i;
        if (!applies(s, p) || (!s->skipped[p] && s->checks[p] == 0 &&
                               (s->effort == EFFORT_RACES || s->effort == EFFORT_SIZES)))
            continue;
        if (s->skipped[p])
            skip("%s: %s: %s", s->module->name, property_text(p), s->skipped[p]);
        else if (s->checks[p] == 0 && count_declined(s))
            skip("%s: %s: the method declines all matrices for it", s->module->name,
                 property_text(p));
        else if (!ok(s->failures[p] == 0 && s->checks[p] > 0, "%s: %s", s->module->name,
                     property_text(p)))
            diag("%d of %d checks failed", s->failures[p], s->checks[p]);
    }
}

typedef struct arguments {
    test_effort effort;
    size_t share, shares;        /* modules share, share + shares, ... */
    const char **word;           /* the command line, for is_named */
    int word_count;
    bool has_names;              /* --module was given */
    const char *device;          /* as in spmv_device_options.device; NULL: the CPU */
    const char *shape;           /* the only shape for the device; NULL: all */
    const char **library;        /* paths, from argv */
    int library_count;
} arguments;

/* Tries a module for another device: in the shim (shim.h) without libspmv, or on that device. */
static void test_program(const spmv_module *module, const arguments *args)
{
    const test_effort effort = args->effort;
    const char *device = args->device;
    suite s = { .module = module, .effort = effort, .shape = args->shape,
                .benchmark_only = module->determinism == SPMV_BENCHMARK_ONLY };

    if (device && (!test_device_open(&s, device) || !test_device_runs(&s))) {
        skip("%s: %s", module->name, s.label);
        spmv_device_close(s.device);
        return;
    }
    s.bare = bare_create(module);
    if (!ok(s.bare != NULL, "%s: the test has memory", module->name))
        return;
    test_settings_initial(&s);
    trap_label(s.label);
    if (device && test_device_reopens(&s, device)) {
        spmv_device_close(s.device);
        s.device = NULL;
    }
    if (device) {
        test_device(&s, device);
        if (effort != EFFORT_TINY)
            test_plans(&s);
    } else if (effort == EFFORT_RACES || effort == EFFORT_ONCE) {
        test_once(&s);
    } else {
        test_shapes(&s);
        test_faults(&s);
        test_isolation(&s);
        test_speculation(&s);
        test_settings(&s);
    }
    trap_label(NULL);
    for (int i = 0; i < PROPERTIES; i++)
        if (s.checks[i] > 0 && !ok(s.failures[i] == 0, "%s: %s", module->name,
                                   property_text((property)i)))
            diag("%d of %d checks failed", s.failures[i], s.checks[i]);
    print_declined(&s);
    bare_destroy(s.bare);
    spmv_device_close(s.device);
}

static bool is_named(const arguments *args, const spmv_module *module)
{
    for (int i = 1; i < args->word_count; i++)
        if (strcmp(args->word[i - 1], "--module") == 0 && strcmp(args->word[i], module->name) == 0)
            return true;
    return !args->has_names;
}

/* `number` counts the modules that --module names. */
static bool is_chosen(const arguments *args, const spmv_module *module, size_t *number)
{
    return is_named(args, module) && (*number)++ % args->shares == args->share;
}

/* Tries the built-in modules that have a program. */
/* *number: of the next module of --share. */
static void test_programs(const arguments *args, size_t *number)
{
    for (size_t t = 0; spmv_builtin_tables[t]; t++)
        for (size_t i = 0; spmv_builtin_tables[t][i]; i++) {
            const spmv_module *module = spmv_builtin_tables[t][i];
            if (module->program && is_chosen(args, module, number))
                test_program(module, args);
        }
}

static void test_module(spmv_device *device, const spmv_module *module, test_effort effort)
{
    suite s = { .module = module, .device = device, .effort = effort,
                .benchmark_only = module->determinism == SPMV_BENCHMARK_ONLY };

    s.bare = bare_create(module);
    if (!ok(s.bare != NULL, "%s: the test has memory", module->name))
        return;
    test_settings_initial(&s);
    trap_label(s.label);
    if (effort != EFFORT_RACES && effort != EFFORT_SIZES) {
        test_shapes(&s);
        test_faults(&s);
        test_isolation(&s);
        test_speculation(&s);
        test_figures(&s);
    }
    if (effort != EFFORT_RACES)
        test_past_31_bits(&s);
    if (effort != EFFORT_SIZES) {
        test_parallel(&s);
        test_plans(&s);
        test_settings(&s);
    }
    trap_label(NULL);
    print_properties(&s);
    print_declined(&s);
    bare_destroy(s.bare);
}

static bool read_arguments(int argc, const char **argv, arguments *out)
{
    static const char *const names[] = {
        [EFFORT_FULL] = "full", [EFFORT_REDUCED] = "reduced", [EFFORT_BRIEF] = "brief",
        [EFFORT_RACES] = "races", [EFFORT_SIZES] = "sizes", [EFFORT_TINY] = "tiny",
        [EFFORT_ONCE] = "once",
    };
    enum { EFFORTS = sizeof names / sizeof names[0] };
    int i = 1;

    *out = (arguments){ .effort = EFFORT_FULL, .shares = 1, .word = argv, .word_count = argc };
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        int effort = 0;
        while (effort < EFFORTS && strcmp(argv[i + 1], names[effort]) != 0)
            effort++;
        if (strcmp(argv[i], "--effort") == 0 && effort < EFFORTS)
            out->effort = (test_effort)effort;
        else if (strcmp(argv[i], "--device") == 0)
            out->device = argv[i + 1];
        else if (strcmp(argv[i], "--shape") == 0)
            out->shape = argv[i + 1];
        else if (strcmp(argv[i], "--module") == 0)
            out->has_names = true;
        else if (strcmp(argv[i], "--share") != 0 ||
                 sscanf(argv[i + 1], "%zu/%zu", &out->share, &out->shares) != 2 ||
                 out->shares == 0)
            return false;
    }
    out->library = argv + i;
    out->library_count = argc - i;
    return i == argc || argv[i][0] != '-';
}

int main(int argc, char **argv)
{
    spmv_device_options options = { .struct_size = sizeof options };
    spmv_device *device = NULL;
    spmv_error err = { SPMV_OK, "" };
    arguments args;

    if (!ok(read_arguments(argc, (const char **)argv, &args), "takes its arguments"))
        return tap_done();
    options.no_builtin_modules = args.library_count > 0;
    /* A race checker handles the signals itself. */
    if (args.effort != EFFORT_RACES)
        trap_install();
    if (!ok(spmv_device_open(&options, &device, &err) == SPMV_OK, "opens the device")) {
        diag("%s", err.text);
        return tap_done();
    }
    for (int i = 0; i < args.library_count; i++)
        if (!ok(spmv_device_load_modules(device, args.library[i], &err) == SPMV_OK, "loads %s",
                args.library[i]))
            diag("%s", err.text);
    const size_t count = spmv_device_module_count(device);
    size_t number = 0;
    if (count == 0 && args.library_count > 0)
        skip("no module that this machine can run");
    if (args.library_count == 0 && args.effort != EFFORT_SIZES)
        test_programs(&args, &number);
    for (size_t i = 0; i < count && !args.device && args.effort != EFFORT_ONCE; i++)
        if (is_chosen(&args, spmv_device_module(device, i), &number))
            test_module(device, spmv_device_module(device, i), args.effort);
    /* Two known faults of the authors' code can occur only in a GPU language. */
    if (args.effort == EFFORT_FULL && !args.device) {
        skip("speculative fault: subgroup code without barriers: C kernels have no work-items");
        skip("EVC-HYB fault: barriers in divergent loops: C kernels have no barriers");
    }
    spmv_device_close(device);
    return tap_done();
}
