#ifndef TEST_PARTS_SHARED_H
#define TEST_PARTS_SHARED_H

/* What the parts share. */
typedef struct shared_pair {
    sample a, b;                 /* two of them */
} shared_pair;

#endif
