/* debug.h: diagnostics on stderr, enabled by SPMV_DEBUG=1. The library prints nothing else. */
#ifndef SPMV_DEBUG_H
#define SPMV_DEBUG_H

/* Whether SPMV_DEBUG is set to anything but "" and "0". */
int spmv_debug_is_wanted(void);

/* Prints the line "spmv: TEXT" if SPMV_DEBUG enables it. Reads the environment each time. */
void spmv_debug_line(const char *text);

#endif
