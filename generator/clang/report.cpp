// report.cpp: turns Clang's source locations into the generator's diagnostics.
#include "generator/clang/report.h"

#include "generator/clang/template_files.h"
#include "generator/clang/source.h"

namespace sg {

sg_loc Report::place(clang::SourceLocation at) const
{
    if (at.isInvalid() || !sources_)
        return {sg_arena_strdup(arena_, input_.file), 0, 0};
    const auto where = sources_->getDecomposedLoc(sources_->getFileLoc(at));
    const auto file = sources_->getFileEntryRefForID(where.first);
    std::string name = file ? clean_path(file->getName()) : input_.file;
    if (role_of_name(name) == Role::params)
        name = PARAMS_SHOWN.str();
    return {sg_arena_strdup(arena_, name.c_str()),
            static_cast<int>(sources_->getLineNumber(where.first, where.second)),
            static_cast<int>(sources_->getColumnNumber(where.first, where.second))};
}

void Report::error(clang::SourceLocation at, const llvm::Twine &text, Parameters values)
{
    error(place(at), text, values);
}

void Report::error(sg_loc at, const llvm::Twine &text, Parameters values)
{
    shown_ = !full();
    if (!shown_)
        return;
    sg_diag(diags_, SG_ERROR, at, "%s", text.str().c_str());
    note_origins(values);
}

void Report::note(clang::SourceLocation at, const llvm::Twine &text)
{
    note(place(at), text);
}

void Report::note(sg_loc at, const llvm::Twine &text)
{
    if (shown_)
        sg_diag(diags_, SG_NOTE, at, "%s", text.str().c_str());
}

void Report::note_origins(Parameters values)
{
    for (size_t i = 0; shown_ && i < values.size(); i++) {
        const sg_spec_param *value = values[i];
        if (value->origin.file && !llvm::is_contained(values.take_front(i), value))
            sg_diag(diags_, SG_NOTE, value->origin, "%s = %lld comes from here", value->name,
                    static_cast<long long>(value->value));
    }
}

const sg_spec_param *Report::find_param(llvm::StringRef name) const
{
    for (size_t i = 0; i < input_.param_count; i++)
        if (name == input_.params[i].name)
            return &input_.params[i];
    return nullptr;
}

const sg_word *Report::find_word(llvm::StringRef name) const
{
    return sg_lowering_find(input_.lowering, name.str().c_str());
}

}  // namespace sg
