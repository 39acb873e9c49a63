#ifndef PARTS_SHARED_H
#define PARTS_SHARED_H

/* What the parts share. */
typedef struct shared_pair {
    sample a, b;                 /* two of them */
} shared_pair;

#endif
