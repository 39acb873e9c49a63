/* kernels.c: the C file of a bundle: the runtime's own files, the kernels and the public functions.
 *
 * spmvgen writes all of it into one file, with the kernels in place of SPMV_BUNDLE_MODULES, and
 * makes static what kernels.h does not declare. The kernels' text defines
 *
 *     static const spmv_module *const spmv_modules[]
 *
 * NULL-terminated, highest rank first. Here SPMV_BUNDLE_MODULES is the name of a file with that
 * text, and this file compiles as it stands.
 *
 * Conditions on these macros tell bundles from libspmv, which defines none of them. spmvgen decides
 * the conditions:
 *
 *     SPMV_BUNDLE                                1
 *     SPMV_BUNDLE_F32, _F64, _I32, _I64          1: the bundle has these values and offsets
 *     SPMV_BUNDLE_STATIC                         1: it allocates nothing
 *     SPMV_BUNDLE_DEVICE                         1: it has programs for a GPU
 */
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE                  /* madvise */
#endif
#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1         /* %zu */
#endif

#include "runtime/bundle/kernels.h"

#include "runtime/base/text.c"
#include "runtime/base/error.c"
#if !SPMV_BUNDLE_STATIC
#include "runtime/bundle/memory_hook.c"
#include "runtime/base/memory.c"
#include "runtime/core/threads/openmp.c"
#endif
#include "runtime/core/threads/parallel.c"
#include "runtime/core/threads/step_runner.c"
#include "runtime/bundle/shell.c"
#include "runtime/core/threads/team.c"
#include "runtime/core/matrix_check.c"
#include "runtime/core/layout.c"
#include "runtime/core/options.c"
#include "runtime/core/ranges.c"
#include "runtime/core/operands.c"
#include "runtime/core/job.c"
#include "runtime/core/update.c"
#if !SPMV_BUNDLE_STATIC
#include "runtime/core/dense.c"
#include "runtime/core/columns.c"
#include "runtime/core/candidates.c"
#include "runtime/core/selection.c"
#include "runtime/core/storage.c"
#include "runtime/core/choice.c"
#include "runtime/core/build.c"
#endif

#include SPMV_BUNDLE_MODULES

#include "runtime/bundle/arguments.c"
#if SPMV_BUNDLE_STATIC
#include "runtime/bundle/place.c"
#else
#include "runtime/bundle/create.c"
#include "runtime/bundle/create_typed.c"
#endif
#include "runtime/bundle/multiply.c"
#if !SPMV_BUNDLE_STATIC
#include "runtime/bundle/multiply_columns.c"
#endif
#include "runtime/bundle/update.c"
