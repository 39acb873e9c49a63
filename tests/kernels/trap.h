/* trap.h: calls a function and survives the signals that it raises: a forbidden address, an unknown
 * instruction, a division by zero. For code that owns nothing, on one thread. */
#ifndef TEST_TRAP_H
#define TEST_TRAP_H

#include <stdbool.h>

typedef struct trap_report {
    int signal;                  /* 0: none */
    void *address;               /* of the access, where the signal tells */
} trap_report;

/* Installs the handlers, once, before the first trap_run. */
void trap_install(void);

/* What a signal outside trap_run should say before the program ends. NULL: nothing. The text must
 * live on; it may change. */
void trap_label(const char *text);

/* Whether body returned. If not, *report says why. */
bool trap_run(void (*body)(void *context), void *context, trap_report *report);

const char *trap_signal_name(int number);

#endif
