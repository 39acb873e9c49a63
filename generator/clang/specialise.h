/* specialise.h: the specialiser, the only compiler code of the project.
 *
 * It takes a template (real C), values for its parameters and a lowering, and returns the text of
 * the specialised program. It knows no method, device or language by name. libTooling is behind
 * this header and no Clang type crosses it.
 *
 * The author's text is kept, and only the parts that must change are replaced:
 *   - params.h is replaced by an in-memory header of enumerators and typedefs; so inside the AST
 *     parameters already have their values;
 *   - a maximal integer constant expression that mentions a parameter becomes a literal. A comment
 *     behind its first use in a function quotes it: 128 [slash-star] OMEGA * SIGMA [star-slash].
 *     A cast keeps its type where the type matters: (int64_t)16 * n. Floating point and sizeof are
 *     never folded;
 *   - `if`, `?:`, `&&`, `||`, `!` and loops with a constant condition of parameters are pruned,
 *     together with the comment directly before the pruned statement; static functions, objects
 *     and types, and local variables, are dropped if they are no longer used. Always kept are:
 *     declarations that are not static, and static objects that nothing in the template names (a
 *     table of functions); if there is neither, functions marked KERNEL. Kernels that are not
 *     launched are dropped;
 *   - a loop `UNROLL for (TYPE variable = ...; ...; ...)` is unrolled, at most unroll_cap copies
 *     (more is a located error);
 *   - words are lowered (lowering.h): calls and types declared under templates/prelude, and the
 *     prelude's object-like macros (KERNEL, DEVICE, RESTRICT, ...), which are qualifier words;
 *   - quoted includes of files under templates/ are spliced in place, once; includes of the prelude
 *     and params.h are dropped; any other include is refused (the lowering's preamble has the
 *     includes of the output);
 *   - everything else is an error: an unknown call, a word that cannot be lowered, sizeof of a
 *     pointer, a builtin type other than void, int and const char * spelled out, macros and #if of
 *     the template's own, goto, asm, variable-length arrays.
 *
 * Errors show the template's line with a caret. If a value involved is stated on a page, a note
 * shows the page's line. After an error there is no output.
 */
#ifndef SG_SPECIALISE_H
#define SG_SPECIALISE_H

#include "generator/clang/specialise_types.h"

#ifdef __cplusplus
extern "C" {
#endif

bool sg_specialise(sg_arena *arena, sg_diags *diags, const sg_spec_input *input,
                   sg_spec_output *out);

/* Lays out joined pieces: lines of at most `columns`, aligned continuations, single blank lines.
 * The result ends with a newline. */
const char *sg_lay_out(sg_arena *arena, const char *text, size_t columns);

/* Parses emitted texts in their own language. Returns false, with diagnostics at emitted lines, on
 * an error. `name` is the file's name as it will be written. `headers` are emitted headers that
 * texts may include. */
bool sg_reparse(sg_diags *diags, const sg_lowering *lowering, const sg_parse_file *files,
                size_t file_count, const sg_parse_file *headers, size_t header_count);

#ifdef __cplusplus
}
#endif
#endif
