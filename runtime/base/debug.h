/* debug.h: explanations on stderr, which SPMV_DEBUG=1 asks for. Nothing else of the library
 * prints. */
#ifndef SPMV_DEBUG_H
#define SPMV_DEBUG_H

/* Does the environment ask for explanations? Any value but "" and "0" does. */
int spmv_debug_is_wanted(void);

/* One line, "spmv: TEXT". Asks the environment each time. */
void spmv_debug_line(const char *text);

#endif
