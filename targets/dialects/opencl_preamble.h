/* opencl_preamble.h: what emitted text has from the preamble of opencl.lua. It is not emitted: it is
 * for compilers and editors that read opencl.cl by itself. */
#ifndef SPMV_OPENCL_PREAMBLE_H
#define SPMV_OPENCL_PREAMBLE_H

#define STREAM(from) (*(from))

#endif
