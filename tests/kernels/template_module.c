/* template_module.c: a module made of an unchanged template, compiled against the prelude.
 *
 * Templates are real C, so they are the reference for emitted text. Compile with
 *     -DTEMPLATE='"templates/METHOD/simd.c"' -DMETHOD=METHOD -DMODULE=SYMBOL -I<folder of params.h>
 * The params.h in that folder defines the value type and the row-pointer type; template_params.h
 * beside it lists the enumerators of params.h.
 */
#include TEMPLATE

#include "runtime/spmv_module.h"

#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)

static const spmv_param params[] = {
#include "template_params.h"
};

static int32_t usable(void)
{
    return 1;
}

extern const spmv_module MODULE;

const spmv_module MODULE = {
    .abi = SPMV_MODULE_ABI,
    .name = TEXT(MODULE),
    .method = TEXT(METHOD),
    .target = "template",
    .generator = "none",
    .value_type = sizeof(real) == sizeof(f32) ? SPMV_F32 : SPMV_F64,
    .offset_type = sizeof(offset) == sizeof(i32) ? SPMV_I32 : SPMV_I64,
    .determinism = SPMV_SAME_BITS,
    .param_count = sizeof params / sizeof params[0],
    .params = params,
    .usable = usable,
    .ops = &method_ops,
};
