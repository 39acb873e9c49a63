// report.h: the messages of one run, at places in the templates. Notes behind an error show the
// lines that state the values involved.
#ifndef SG_CLANG_REPORT_H
#define SG_CLANG_REPORT_H

#include <set>

#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/ArrayRef.h>

#include "generator/clang/specialise_types.h"
#include "generator/clang/reserved_words.h"

namespace sg {

using Parameters = llvm::ArrayRef<const sg_spec_param *>;

class Report {
public:
    Report(sg_arena *arena, sg_diags *diags, const sg_spec_input &input)
        : arena_(arena), diags_(diags), input_(input), before_(sg_diags_error_count(diags)) {}

    // Errors have places only after this call; the manager must outlive all later calls.
    void watch(const clang::SourceManager *sources) { sources_ = sources; }

    sg_loc place(clang::SourceLocation at) const;

    // Each note belongs to the error before it. values: the parameters involved in the error.
    void error(clang::SourceLocation at, const llvm::Twine &text, Parameters values = {});
    void error(sg_loc at, const llvm::Twine &text, Parameters values = {});
    void note(clang::SourceLocation at, const llvm::Twine &text);
    void note(sg_loc at, const llvm::Twine &text);
    void note_origins(Parameters values);

    bool failed() const { return count() > 0; }
    size_t count() const { return sg_diags_error_count(diags_) - before_; }
    bool full() const { return count() >= MAX_ERRORS; }   // further errors are dropped

    const sg_spec_param *find_param(llvm::StringRef name) const;
    const sg_word *find_word(llvm::StringRef name) const;

    // Records the parameters that the text depends on.
    void note_use(Parameters values) { used_.insert(values.begin(), values.end()); }
    bool is_used(const sg_spec_param &value) const { return used_.count(&value) > 0; }

private:
    sg_arena *arena_;
    sg_diags *diags_;
    const sg_spec_input &input_;
    const clang::SourceManager *sources_ = nullptr;
    size_t before_;
    std::set<const sg_spec_param *> used_;
    bool shown_ = true;          // the last error was added, so its notes are too
};

}  // namespace sg

#endif
