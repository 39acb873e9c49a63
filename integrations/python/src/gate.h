/* gate.h: lets many multiplications, or one update, use a plan at a time.
 *
 * All functions are called with the GIL. Between enter and leave the caller may release it, but
 * must not call Python, which could enter the same gate again. */
#ifndef SPMVGEN_GATE_H
#define SPMVGEN_GATE_H

typedef struct gate {
    long readers;
    int has_writer;
    unsigned forks;              /* of the process when the fields above were written */
} gate;

/* Prepares for fork(). Returns 0, or -1 with an exception set. */
int gate_prepare(void);

void gate_enter(gate *g);            /* waits while a writer is inside or waiting */
void gate_leave(gate *g);
void gate_enter_alone(gate *g);      /* waits until nobody else is inside */
void gate_leave_alone(gate *g);

#endif
