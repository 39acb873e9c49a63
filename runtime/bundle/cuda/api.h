/* api.h: the functions of a bundle's .cu file: CUDA's, and a launcher for each kernel.
 * So the C file needs no header of CUDA. They return CUDA's codes; 0 is success. */
#ifndef SPMV_BUNDLE_CUDA_API_H
#define SPMV_BUNDLE_CUDA_API_H

#include "runtime/bundle/cuda/kernels.h"

enum { SPMV_CUDA_SUCCESS = 0, SPMV_CUDA_OUT_OF_MEMORY = 2 };

typedef struct CUevent_st *spmv_cuda_event;

/* Launches a kernel. argument[i] points to the value of argument i. groups == 0: only loads it. */
typedef int spmv_launch_function(unsigned int groups, spmv_stream stream, void *const *argument);

typedef struct spmv_launcher {
    const char *symbol;          /* of the kernel; NULL ends a list */
    spmv_launch_function *launch;
} spmv_launcher;

#ifdef __cplusplus
extern "C" {
#endif

/* Properties of the current device. is_concurrent: the host may use managed memory while kernels
 * run. */
extern int spmv_cuda_open(int *capability, int *has_managed, int *is_concurrent);

extern int spmv_cuda_allocate(void **memory, size_t bytes, int is_managed);
extern int spmv_cuda_release(void *memory);

/* Starts a copy between host and device in the stream. */
extern int spmv_cuda_copy(void *to, const void *from, size_t bytes, int is_to_device,
                          spmv_stream stream);

/* Wait for the stream, and for all streams of the device. */
extern int spmv_cuda_wait(spmv_stream stream);
extern int spmv_cuda_wait_for_all(void);

/* 0 or 1, not codes. */
extern int spmv_cuda_is_managed(const void *memory);
extern int spmv_cuda_is_captured(spmv_stream stream);

extern int spmv_cuda_event_make(spmv_cuda_event *event);
extern int spmv_cuda_event_free(spmv_cuda_event event);
extern int spmv_cuda_event_record(spmv_cuda_event event, spmv_stream stream);
extern int spmv_cuda_event_seconds(spmv_cuda_event start, spmv_cuda_event stop, double *seconds);

/* The text of a code, which CUDA then forgets. */
extern const char *spmv_cuda_error_text(int code);

#ifdef __cplusplus
}
#endif
#endif
