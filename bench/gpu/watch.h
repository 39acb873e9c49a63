/* watch.h: ends the program when a contender does not come back, as a kernel that hangs does not,
 * so that the next run can leave it out.
 *
 * One watch is set at a time. It is a signal's (SIGALRM), which comes while the program waits for
 * the GPU.
 */
#ifndef GPU_WATCH_H
#define GPU_WATCH_H

typedef struct gpu_watch {
    const char *faults;          /* a file (faults.h), or NULL */
    unsigned seconds;            /* that a contender may take; 0: as long as it likes */
    int code; /* the program's exit code where the file has the contender now; else
                 it is 1 */
} gpu_watch;

/* After the seconds "LABEL: did not end within SECONDS s" is added to the file, and the program
 * ends. */
void gpu_watch_set(const gpu_watch *watch, const char *label);
void gpu_watch_clear(void);

#endif
