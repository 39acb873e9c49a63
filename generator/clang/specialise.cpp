// specialise.cpp: the C interface of the specialiser.
#include "generator/clang/specialise.h"

#include "generator/clang/arena_copy.h"
#include "generator/clang/template_files.h"
#include "generator/clang/text_layout.h"
#include "generator/clang/reserved_words.h"
#include "generator/clang/parse.h"
#include "generator/clang/program.h"
#include "generator/clang/report.h"

namespace sg {

template <typename T> static T *new_array(sg_arena *arena, size_t count)
{
    return static_cast<T *>(sg_arena_grow(arena, nullptr, 0, count ? count : 1, sizeof(T)));
}

static void write_pieces(sg_arena *arena, const std::vector<Piece> &pieces, sg_spec_output *out)
{
    auto *list = new_array<sg_piece>(arena, pieces.size());
    for (size_t i = 0; i < pieces.size(); i++) {
        const Piece &p = pieces[i];
        list[i] = {p.kind, copy(arena, p.key), copy(arena, p.text), copy(arena, p.names),
                   copy(arena, p.members), copy(arena, p.needs), p.place, p.begin, p.end,
                   p.is_tight, p.of_isa,
                   {copy(arena, p.file), p.line, 0}};
    }
    out->pieces = list;
    out->piece_count = pieces.size();
}

static void write_kernels(sg_arena *arena, const std::vector<Kernel> &kernels, sg_spec_output *out)
{
    auto *list = new_array<sg_spec_kernel>(arena, kernels.size());
    for (size_t i = 0; i < kernels.size(); i++) {
        const Kernel &k = kernels[i];
        auto *args = new_array<sg_spec_arg>(arena, k.arguments.size());
        for (size_t j = 0; j < k.arguments.size(); j++) {
            const KernelArgument &a = k.arguments[j];
            args[j] = {copy(arena, a.name), copy(arena, a.type), copy(arena, a.address_space),
                       copy(arena, a.access), copy(arena, a.length), copy(arena, a.word)};
        }
        list[i] = {copy(arena, k.name), k.local_bytes, args, k.arguments.size()};
    }
    out->kernels = list;
    out->kernel_count = kernels.size();
}

static void write_launched(sg_arena *arena, const std::set<std::string> &launched,
                           sg_spec_output *out)
{
    auto **list = new_array<const char *>(arena, launched.size() + 1);
    size_t count = 0;
    for (const std::string &name : launched)
        list[count++] = copy(arena, name);
    out->launched = list;
}

static void write_used(sg_arena *arena, const sg_spec_input &input, const Report &report,
                       sg_spec_output *out)
{
    auto *list = new_array<bool>(arena, input.param_count);
    for (size_t i = 0; i < input.param_count; i++)
        list[i] = report.is_used(input.params[i]);
    out->used = list;
}

static void write_inputs(sg_arena *arena, const TemplateFiles &files, sg_spec_output *out)
{
    auto *list = new_array<sg_input>(arena, files.opened().size());
    size_t count = 0;
    for (const auto &file : files.opened())
        list[count++] = {copy(arena, file.first), file.second};
    out->inputs = list;
    out->input_count = count;
}

}  // namespace sg

extern "C" bool sg_specialise(sg_arena *arena, sg_diags *diags, const sg_spec_input *input,
                              sg_spec_output *out)
{
    sg::Report report(arena, diags, *input);
    llvm::IntrusiveRefCntPtr<sg::TemplateFiles> files(new sg::TemplateFiles(arena, *input));
    sg_spec_output result = {};

    sg_diags_add_source(diags, sg::PARAMS_SHOWN.data(), files->params_text().c_str());
    if (!files->exists("/" + std::string(input->file))) {
        report.error({input->file, 0, 0}, "there is no such template");
        return false;
    }
    sg::parse_template(*input, *files, report, [&](const sg::Parsed &parsed) {
        sg::Program program(*input, parsed, report);
        sg::write_pieces(arena, program.emit(), &result);
        sg::write_kernels(arena, program.kernels(), &result);
        sg::write_launched(arena, program.launched(), &result);
    });
    if (report.failed() || !result.piece_count)
        return false;
    sg::write_used(arena, *input, report, &result);
    sg::write_inputs(arena, *files, &result);
    *out = result;
    return true;
}

extern "C" const char *sg_lay_out(sg_arena *arena, const char *text, size_t columns)
{
    return sg::copy(arena, sg::lay_out(text, columns));
}
