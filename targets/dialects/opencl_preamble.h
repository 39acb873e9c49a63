/* opencl_preamble.h: what emitted text has from the preamble of opencl.lua, for compilers and
 * editors that read opencl.cl by itself. It is not emitted. */
#ifndef SPMV_OPENCL_PREAMBLE_H
#define SPMV_OPENCL_PREAMBLE_H

#define STREAM(from) (*(from))

#endif
