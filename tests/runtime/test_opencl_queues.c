/* test_opencl_queues.c MOCK LIBRARY_WITHOUT_OPENCL: the OpenCL backend in a context and queues of the
 * caller's: executes there, and enqueues. The mock runs commands as late as it may, and what is not one's
 * to read is garbage: what is waited for too little gives wrong results. */
#include "mock_caller.h"
#include "../tap.h"

#include <stdlib.h>
#include <string.h>

/* ---- queues -------------------------------------------------------------------------------- */

static void test_own_queue(const char *name, ocl_bits properties)
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
       strstr(err.text, "the device of options.queue is 'Mock device', which has no 'Hawaii'") != NULL,
       "%s", err.text);
    own_end();
    ok(is_clean(), "nothing is left of a queue that is refused");
}

/* ---- enqueues ------------------------------------------------------------------------------ */

/* Writes, multiplies twice and reads, without a wait in between but by events. */
static void test_enqueue(const char *name, ocl_bits properties)
{
    const double three[ROWS] = {3, 3, 3, 3, 3, 3, 3, 3, 3};
    spmv_device *device = NULL;
    ocl_event written[2], ended = NULL, again = NULL;
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

    ocl_queue second = own.create_queue(own.context, NULL, OCL_QUEUE_OUT_OF_ORDER, NULL);
    options = (spmv_enqueue_options){.struct_size = sizeof options, .queue = second, .event = &ended};
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
    ocl_memory small = own.create_buffer(own.context, 0, 8, NULL, NULL);
    ocl_context elsewhere = own.create_context(NULL, 1, NULL, NULL, NULL, NULL);
    ocl_queue there = own.create_queue(elsewhere, NULL, 0, NULL);
    ocl_memory far = own.create_buffer(elsewhere, 0, ROWS * sizeof(double), NULL, NULL);
    foreign.queue = there;
    const struct {
        const spmv_plan *plan;
        ocl_memory x, y;
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
    test_enqueue_errors();
    mock_end();
    return tap_done();
}
