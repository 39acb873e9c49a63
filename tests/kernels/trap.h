/* trap.h: calls a function and catches the signals that it raises: a forbidden address, an unknown
 * instruction, a division by zero. The function must own nothing, since a signal ends it early; one
 * thread at a time. */
#ifndef TEST_TRAP_H
#define TEST_TRAP_H

#include <stdbool.h>

typedef struct trap_report {
    int signal;                  /* 0: none */
    void *address;               /* of the access, if the signal has it */
} trap_report;

/* Installs the handlers, once, before the first trap_run. */
void trap_install(void);

/* The text that a signal outside trap_run prints before the program ends. NULL: nothing. The text
 * is not copied, and may change. */
void trap_label(const char *text);

/* Calls body; true: it returned. False: *report has the signal. */
bool trap_run(void (*body)(void *context), void *context, trap_report *report);

const char *trap_signal_name(int number);

#endif
