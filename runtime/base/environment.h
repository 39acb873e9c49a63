/* environment.h: the environment's variables, for all of libspmv. */
#ifndef SPMV_ENVIRONMENT_H
#define SPMV_ENVIRONMENT_H

/* The variable's value. NULL: it is not set, or the program has privileges that its caller does not
 * have (setuid, setgid, file capabilities): the caller must not choose what such a program opens. */
const char *spmv_variable(const char *name);

#endif
