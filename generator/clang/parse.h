// parse.h: parses a template.
#ifndef SG_CLANG_PARSE_H
#define SG_CLANG_PARSE_H

#include <map>
#include <string>

#include <clang/AST/ASTContext.h>
#include <llvm/ADT/STLExtras.h>

#include "generator/clang/template_files.h"
#include "generator/clang/report.h"
#include "generator/clang/source.h"

namespace sg {

// The result of the parser. Valid during the call of the function that receives it.
struct Parsed {
    clang::ASTContext &context;
    Sources &sources;
    const std::map<std::string, clang::FileID> &files;   // by name; the first entry of each
};

// Parses input.file and calls `then` if there was no error. Clang's errors are forwarded to report.
void parse_template(const sg_spec_input &input, TemplateFiles &files, Report &report,
                    llvm::function_ref<void(const Parsed &)> then);

}  // namespace sg

#endif
