/* environment.h: environment variables. All of libspmv reads them here. */
#ifndef SPMV_ENVIRONMENT_H
#define SPMV_ENVIRONMENT_H

/* The variable's value. NULL: it is not set, or the program has privileges that its caller lacks
 * (setuid, setgid, file capabilities). The caller must not choose what such a program opens. */
const char *spmv_variable(const char *name);

#endif
