/* watchdog.h: ends the program when a contender does not finish, such as a kernel that hangs, so
 * that the next run can leave the contender out.
 *
 * One watchdog runs at a time. It is an alarm signal (SIGALRM), which arrives while the program
 * waits for the GPU.
 */
#ifndef GPU_WATCHDOG_H
#define GPU_WATCHDOG_H

typedef struct gpu_watchdog {
    const char *faults;          /* a file (faults.h), or NULL */
    unsigned seconds;            /* limit for a contender; 0: no limit */
    int code;                    /* exit code if the file was written; else 1 */
} gpu_watchdog;

/* When the limit is reached, the program adds "LABEL: did not end within SECONDS s" to the file and
 * ends. */
void gpu_watchdog_start(const gpu_watchdog *watchdog, const char *label);
void gpu_watchdog_stop(void);

#endif
