/* specialise.h: the specialiser, the only compiler code of the project.
 *
 * It takes a template (real C), values for its parameters and a lowering, and gives the text of the
 * specialised program. It knows no method, device or language by name. libTooling is behind this
 * header and no Clang type crosses it.
 *
 * The author's text is kept, and only the parts that must change are replaced:
 *   - params.h is replaced by an in-memory header of enumerators and typedefs; so inside the AST
 *     parameters already have their values;
 *   - a maximal integer constant expression that mentions a parameter becomes a literal. A comment
 *     behind its first use in a function names it: 128 [slash-star] OMEGA * SIGMA [star-slash].
 *     Where its type matters it keeps it: (int64_t)16 * n. Floating point is never folded, nor is
 *     sizeof;
 *   - `if`, `?:`, `&&`, `||`, `!` and loops with a constant condition of parameters are pruned,
 *     together with the comment directly before the pruned statement; static functions, objects
 *     and types, and local variables, that are no longer used go too. Always kept are: declarations
 *     that are not static, and static objects that nothing in the template names (a table of
 *     functions); if there is neither, functions marked KERNEL. Kernels that are not launched go;
 *   - a loop `UNROLL for (TYPE variable = ...; ...; ...)` is unrolled, at most unroll_cap copies
 *     (more is a located error);
 *   - words lower (lowering.h): calls and types declared under templates/prelude, and the prelude's
 *     object-like macros (KERNEL, DEVICE, RESTRICT, ...), which are qualifier words;
 *   - quoted includes of files under templates/ are spliced in place, once; includes of the prelude
 *     and params.h vanish; any other include is refused (the lowering's preamble has the includes
 *     of the output);
 *   - everything else is an error: an unknown call, a word that cannot be lowered, sizeof of a
 *     pointer, a builtin type other than void, int and const char * spelled out, macros and #if of
 *     the template's own, goto, asm, variable-length arrays.
 *
 * Errors show the template's line with a caret and, where a value that took part came from a page,
 * that line as a note. After an error there is no output.
 */
#ifndef SG_SPECIALISE_H
#define SG_SPECIALISE_H

#include "generator/clang/specialise_types.h"

#ifdef __cplusplus
extern "C" {
#endif

bool sg_specialise(sg_arena *arena, sg_diags *diags, const sg_spec_input *input,
                   sg_spec_output *out);

/* Pieces put together, laid out: lines of at most 100 columns, continuations aligned, one blank
 * line where there are more. Ends with a newline. */
const char *sg_lay_out(sg_arena *arena, const char *text);

/* Parses emitted texts in their own language; false with diagnostics at the emitted line. `name` is
 * the file's name as it will be written. `headers` are emitted headers that texts may include. */
bool sg_reparse(sg_diags *diags, const sg_lowering *lowering, const sg_parse_file *files,
                size_t file_count, const sg_parse_file *headers, size_t header_count);

#ifdef __cplusplus
}
#endif
#endif
