/* cases.c: labels that pruning might take away, and a struct in front of a word. */
#include "../prelude/words.h"

i32 cases(i32 n)
{
    struct pack p = { { 0 } };
    switch (n) {
        if (FLAG) {
        case 1:
            n = 2;
        }
    case 2:
    case 3:
        n += (i32)p.lane[0];
    }
    switch (n)
    case 1:
        n = 2;
    return n;
}
