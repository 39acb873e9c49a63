/* test_opencl_queues.c MOCK LIBRARY_WITHOUT_OPENCL: the OpenCL backend in a context and queues of
 * the caller: executes and enqueues. The mock runs commands as late as it may, and unwritten memory
 * holds garbage, so a missing wait gives wrong results. */
#define _POSIX_C_SOURCE 200809L
#include "opencl_caller.h"
#include "../tap.h"

#include <stdlib.h>
#include <string.h>

/* ---- queues -------------------------------------------------------------------------------- */

static void test_own_queue(const char *name, spmv_opencl_bits properties)
{
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};
    double *y = sample_vector(s, ROWS, 4);

    mock_reset();
    own_begin(properties);
    ok(open_mock(own.queue, &device, &err) == SPMV_OK, "%s of the caller's: %s", name, err.text);
    spmv_plan *plan = make_plan(device, &err);
    ok(spmv_execute(plan, 2, s->x, 3, y, NULL) == SPMV_OK && sample_is_right(s, y, 2, 3, 4),
       "%s: an execute", name);
    ok(transfers(plan, s->x, y) == 8 && sample_is_right(s, y, 1, 0, 0), "%s: a profile", name);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    own_end();
    ok(is_clean(), "%s: it is given back", name);
    free(y);
}

static void test_queue_errors(void)
{
    const spmv_device_options cpu = {.struct_size = sizeof cpu, .device = "cpu", .queue = &own};
    const spmv_device_options other = {.struct_size = sizeof other, .device = "opencl:Hawaii"};
    spmv_device_options named = other;
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};

    ok(spmv_device_open(&cpu, &device, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "options.queue is set, but the CPU has none") != NULL, "%s", err.text);
    mock_reset();
    own_begin(0);
    named.queue = own.queue;
    ok(spmv_device_open(&named, &device, &err) == SPMV_UNSUPPORTED &&
           strstr(err.text,
                  "the device of options.queue is 'Mock device', which has no 'Hawaii'") != NULL,
       "%s", err.text);
    own_end();
    ok(is_clean(), "nothing is left of a queue that is refused");
}

/* ---- enqueues ------------------------------------------------------------------------------ */

/* Writes, multiplies twice and reads; the commands wait for each other only by events. */
static void test_enqueue(const char *name, spmv_opencl_bits properties)
{
    const double three[ROWS] = {3, 3, 3, 3, 3, 3, 3, 3, 3};
    spmv_device *device = NULL;
    spmv_opencl_event written[2], ended = NULL, again = NULL;
    spmv_enqueue_options options = {.struct_size = sizeof options, .wait_count = 2, .wait = written,
                                    .event = &ended};

    mock_reset();
    own_begin(properties);
    open_mock(own.queue, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    own.write(own.queue, own.x, 0, 0, COLS * sizeof(double), s->x, 0, NULL, &written[0]);
    own.write(own.queue, own.y, 0, 0, sizeof three, three, 0, NULL, &written[1]);
    ok(spmv_enqueue(plan, 2, own.x, 1, own.y, &options) == SPMV_OK &&
       reads_right(own.queue, ended, 2, 1, 3), "%s: an enqueue after what it waits for", name);
    options = (spmv_enqueue_options){.struct_size = sizeof options, .wait_count = 1, .wait = &ended,
                                     .event = &again};
    ok(spmv_enqueue(plan, 1, own.x, 0, own.y, &options) == SPMV_OK &&
       reads_right(own.queue, again, 1, 0, 0), "%s: another one after it", name);
    own.release_event(written[0]);
    own.release_event(written[1]);
    own.release_event(ended);
    own.release_event(again);

    spmv_opencl_queue second = own.create_queue(own.context, NULL, OCL_QUEUE_OUT_OF_ORDER, NULL);
    options =
        (spmv_enqueue_options){ .struct_size = sizeof options, .queue = second, .event = &ended };
    ok(spmv_enqueue(plan, -1, own.x, 0, own.y, &options) == SPMV_OK &&
       reads_right(second, ended, -1, 0, 0), "%s: in another queue of the context", name);
    own.release_event(ended);
    own.release_queue(second);
    ok(spmv_enqueue(plan, 1, own.x, 0, own.y, NULL) == SPMV_OK, "%s: that nobody waits for", name);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    own_end();
    ok(is_clean(), "%s: all objects are released", name);
}

static const spmv_plan *nested_plan;
static int nested_count;
static spmv_status nested_status;
static spmv_error nested_error;

/* Enqueues, during a step for the CPU, until the plan has no slot left. */
static void enqueue_nested(void)
{
    const spmv_enqueue_options options = {.struct_size = sizeof options, .err = &nested_error};
    const spmv_status status = spmv_enqueue(nested_plan, 1, own.x, 0, own.y, &options);

    nested_count++;
    if (status == SPMV_OK)
        return;
    nested_status = status;
    toy_during_step = NULL;
}

static void test_busy(void)
{
    spmv_device *device = NULL;

    mock_reset();
    own_begin(0);
    open_mock(own.queue, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    nested_plan = plan;
    nested_error = (spmv_error){SPMV_OK, "nothing"};
    toy_during_step = enqueue_nested;
    ok(spmv_enqueue(plan, 1, own.x, 0, own.y, NULL) == SPMV_OK && nested_count == 15,
       "15 enqueues may be under way");
    ok(nested_status == SPMV_BUSY && nested_error.status == SPMV_BUSY &&
           strstr(nested_error.text, "15 multiplications") != NULL, "another: %s",
       nested_error.text);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    own_end();
    ok(is_clean(), "all objects are released");
}

/* ---- enqueues that nothing waits for -------------------------------------------------------- */

/* A plan whose method has no host steps, so that spmv_enqueue returns before kernels run. */
static spmv_plan *make_alone(spmv_opencl_queue queue, spmv_device **device)
{
    const spmv_device_options options = {.struct_size = sizeof options, .no_builtin_modules = 1,
                                         .target = "mock", .device = "opencl", .queue = queue};

    *device = NULL;
    if (spmv_device_open(&options, device, NULL) != SPMV_OK ||
        spmv_device_add_modules(*device, toy_alone_modules, NULL) != SPMV_OK)
        return NULL;
    return make_plan(*device, NULL);
}

/* Two enqueues of a plan with different vectors may overlap, and both are right. With is_refused,
 * an enqueue between them fails; the second must still wait for the first. */
static void test_overlap(const char *name, spmv_opencl_bits properties, int is_refused)
{
    double other[COLS], second[ROWS];
    spmv_device *device;
    spmv_opencl_event ended = NULL, again = NULL;
    spmv_enqueue_options options = {.struct_size = sizeof options, .event = &ended};

    mock_reset();
    own_begin(properties);
    spmv_plan *plan = make_alone(own.queue, &device);
    spmv_opencl_memory x = own.create_buffer(own.context, 0, sizeof other, NULL, NULL);
    spmv_opencl_memory y = own.create_buffer(own.context, 0, sizeof second, NULL, NULL);
    for (int i = 0; i < COLS; i++)
        other[i] = -3 * sample_get(s, s->x, i);
    own.write(own.queue, own.x, 1, 0, COLS * sizeof(double), s->x, 0, NULL, NULL);
    own.write(own.queue, x, 1, 0, sizeof other, other, 0, NULL, NULL);
    int good = spmv_enqueue(plan, 1, own.x, 0, own.y, &options) == SPMV_OK;
    if (is_refused) {
        const spmv_enqueue_options waits = {.struct_size = sizeof waits, .wait_count = 1,
                                            .wait = &ended};
        mock->failing = "EnqueueMarkerWithWaitList";
        mock->fail_at = 1;
        mock->code = -57;
        good = good && spmv_enqueue(plan, 1, x, 0, y, &waits) == SPMV_DEVICE_FAILED;
        mock->failing = NULL;
    }
    options.event = &again;
    good = good && spmv_enqueue(plan, 1, x, 0, y, &options) == SPMV_OK;
    ok(good &&
           own.read(own.queue, y, 1, 0, sizeof second, second, 1, &again, NULL) == OCL_SUCCESS &&
           sample_is_right(s, second, -3, 0, 0) && reads_right(own.queue, ended, 1, 0, 0),
       "%s: two enqueues of a plan%s", name, is_refused ? ", one refused between them" : "");
    own.release_event(ended);
    own.release_event(again);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    own.release_memory(x);
    own.release_memory(y);
    own_end();
    ok(is_clean(), "%s: all objects are released", name);
}

/* An execute in the slot of an enqueue that still runs. */
static void test_execute_behind(int overtaking)
{
    double doubled[COLS], y[ROWS];
    spmv_device *device;
    spmv_opencl_event ended = NULL;
    const spmv_enqueue_options options = {.struct_size = sizeof options, .event = &ended};

    mock_reset();
    mock->overtaking = overtaking;
    own_begin(OCL_QUEUE_OUT_OF_ORDER);
    spmv_plan *plan = make_alone(own.queue, &device);
    char *workspace = aligned_alloc(SPMV_ALIGNMENT, 4096);
    for (int i = 0; i < COLS; i++)
        doubled[i] = 2 * sample_get(s, s->x, i);
    own.write(own.queue, own.x, 1, 0, COLS * sizeof(double), s->x, 0, NULL, NULL);
    ok(spmv_enqueue(plan, 1, own.x, 0, own.y, &options) == SPMV_OK &&
           spmv_execute(plan, 1, doubled, 0, y, workspace) == SPMV_OK &&
           sample_is_right(s, y, 2, 0, 0) && reads_right(own.queue, ended, 1, 0, 0),
       "an execute behind an enqueue, in one workspace, disorder %d", overtaking);
    own.release_event(ended);
    free(workspace);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    own_end();
    ok(is_clean(), "and all objects are released");
}

/* A kernel that fails as it runs fails its own enqueue and no later one. */
static void test_failed_command(const char *name, spmv_opencl_bits properties)
{
    spmv_device *device;
    spmv_opencl_int (*wait)(spmv_opencl_uint, const spmv_opencl_event *);

    mock_reset();
    own_begin(properties);
    *(void **)&wait = mock_function("clWaitForEvents");
    spmv_plan *plan = make_alone(own.queue, &device);
    own.write(own.queue, own.x, 1, 0, COLS * sizeof(double), s->x, 0, NULL, NULL);
    mock->bad_launch = 1;
    for (int i = 0; i < 3; i++) {
        spmv_opencl_event ended = NULL;
        const spmv_enqueue_options options = {.struct_size = sizeof options, .event = &ended};
        const spmv_status status = spmv_enqueue(plan, 1, own.x, 0, own.y, &options);
        const spmv_opencl_int end = wait(1, &ended);
        ok(status == SPMV_OK && (end == OCL_SUCCESS) == (i > 0) &&
           (i == 0 || reads_right(own.queue, ended, 1, 0, 0)), "%s: %s", name,
           i == 0 ? "a kernel fails as it runs" : "and the next enqueue is right");
        own.release_event(ended);
    }
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    own_end();
    ok(is_clean(), "%s: all objects are released", name);
}

/* An enqueue that waits for an enqueue in another queue, which must have been flushed. */
static void test_two_queues(void)
{
    spmv_device *device;
    spmv_opencl_event ended = NULL, again = NULL;
    spmv_enqueue_options options = {.struct_size = sizeof options, .event = &ended};

    mock_reset();
    own_begin(0);
    spmv_plan *plan = make_alone(own.queue, &device);
    spmv_opencl_queue second = own.create_queue(own.context, NULL, 0, NULL);
    own.write(own.queue, own.x, 1, 0, COLS * sizeof(double), s->x, 0, NULL, NULL);
    spmv_enqueue(plan, 5, own.x, 0, own.y, &options);
    options = (spmv_enqueue_options){ .struct_size = sizeof options,
                                      .queue = second,
                                      .wait_count = 1,
                                      .wait = &ended,
                                      .event = &again };
    ok(spmv_enqueue(plan, 1, own.x, 0, own.y, &options) == SPMV_OK &&
       reads_right(second, again, 1, 0, 0), "an enqueue that waits for another queue");
    own.release_event(ended);
    own.release_event(again);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    own.release_queue(second);
    own_end();
    ok(is_clean(), "which had been flushed");
}

static void test_enqueue_errors(void)
{
    const spmv_enqueue_options unsized = {.wait_count = 1};
    const spmv_enqueue_options unlisted = {.struct_size = sizeof unlisted, .wait_count = 1};
    spmv_enqueue_options foreign = {.struct_size = sizeof foreign};
    spmv_device *device = NULL, *cpu = sample_device();
    spmv_plan *of_cpu = make_plan(cpu, NULL);

    mock_reset();
    own_begin(0);
    open_mock(own.queue, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    spmv_opencl_memory small = own.create_buffer(own.context, 0, 8, NULL, NULL);
    spmv_opencl_context elsewhere = own.create_context(NULL, 1, NULL, NULL, NULL, NULL);
    spmv_opencl_queue there = own.create_queue(elsewhere, NULL, 0, NULL);
    spmv_opencl_memory far = own.create_buffer(elsewhere, 0, ROWS * sizeof(double), NULL, NULL);
    foreign.queue = there;
    const struct {
        const spmv_plan *plan;
        spmv_opencl_memory x, y;
        const spmv_enqueue_options *options;
        spmv_status status;
        const char *name;
    } cases[] = {
        {NULL, own.x, own.y, NULL, SPMV_INVALID_ARGUMENT, "no plan"},
        {of_cpu, own.x, own.y, NULL, SPMV_UNSUPPORTED, "a plan for the CPU"},
        {plan, NULL, own.y, NULL, SPMV_INVALID_ARGUMENT, "no x"},
        {plan, own.x, NULL, NULL, SPMV_INVALID_ARGUMENT, "no y"},
        {plan, small, own.y, NULL, SPMV_INVALID_ARGUMENT, "a short x"},
        {plan, own.x, small, NULL, SPMV_INVALID_ARGUMENT, "a short y"},
        {plan, own.x, far, NULL, SPMV_INVALID_ARGUMENT, "y of another context"},
        {plan, own.y, own.y, NULL, SPMV_ALIASING, "x is y"},
        {plan, own.x, own.y, &unsized, SPMV_INVALID_ARGUMENT, "options without a size"},
        {plan, own.x, own.y, &unlisted, SPMV_INVALID_ARGUMENT, "events that are not there"},
        {plan, own.x, own.y, &foreign, SPMV_INVALID_ARGUMENT, "a queue of another context"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ok(spmv_enqueue(cases[i].plan, 1, cases[i].x, 0, cases[i].y, cases[i].options) ==
           cases[i].status, "an enqueue is refused: %s", cases[i].name);
    spmv_error err = {SPMV_OK, ""};
    const spmv_enqueue_options reports = {.struct_size = sizeof reports, .err = &err};
    ok(spmv_enqueue(plan, 1, small, 0, own.y, &reports) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "x is too short") && strstr(err.text, "at least 56 bytes"), "%s", err.text);
    setenv("SPMV_DEVICE", "cpu", 1);
    spmv_device *same = NULL;
    ok(open_mock(own.queue, &same, NULL) == SPMV_OK,
       "SPMV_DEVICE does not override the device of a queue");
    spmv_device_close(same);
    unsetenv("SPMV_DEVICE");
    own.release_memory(small);
    own.release_memory(far);
    own.release_queue(there);
    own.release_context(elsewhere);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    own_end();
    ok(is_clean(), "and nothing is left");
    spmv_plan_destroy(of_cpu);
    spmv_device_close(cpu);
}

int main(int argc, char **argv)
{
    mock_begin(argc, argv);
    test_own_queue("a queue in order", 0);
    test_own_queue("a queue out of order", OCL_QUEUE_OUT_OF_ORDER | OCL_QUEUE_PROFILING_ENABLE);
    test_queue_errors();
    test_enqueue("in order", 0);
    test_enqueue("out of order", OCL_QUEUE_OUT_OF_ORDER);
    test_busy();
    test_overlap("in order", 0, 0);
    test_overlap("out of order", OCL_QUEUE_OUT_OF_ORDER, 0);
    test_overlap("in order", 0, 1);
    test_overlap("out of order", OCL_QUEUE_OUT_OF_ORDER, 1);
    for (int overtaking = 1; overtaking <= 4; overtaking++)
        test_execute_behind(overtaking);
    test_failed_command("in order", 0);
    test_failed_command("out of order", OCL_QUEUE_OUT_OF_ORDER);
    test_two_queues();
    test_enqueue_errors();
    mock_end();
    return tap_done();
}
