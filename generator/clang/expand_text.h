// expand_text.h: the files of an expanded text and their items in its order, and the text of those
// that were chosen.
#ifndef SG_CLANG_EXPAND_TEXT_H
#define SG_CLANG_EXPAND_TEXT_H

#include <set>
#include <utility>

#include "generator/clang/c_items.h"

namespace sg {

constexpr int NONE = -1;

struct Source {
    std::string name;
    std::string opening;         // the text of its opening comment
    bool is_header = false;
    bool is_open = true;         // its includes are being read
    bool is_live = false;        // an item of it, or of a file that includes it, is needed
    bool is_opened = false;      // its heading or opening comment is written
    int parent = NONE;           // the file that included it first
    int section = NONE;          // the nearest .c file among itself and its parents
    std::set<int> includes;
};

// An item at its place in the text. Its group is the part of the #if around it.
struct Part : FileItem {
    int source = 0;
    bool needed = false;
    bool present = false;        // the public header has it
    bool written = false;
    int first_user = NONE;       // the first part that uses it

    explicit Part(FileItem item) : FileItem(std::move(item)) {}
};

// The public header, or the C file on top of it.
struct Parts {
    const sg_expand_input &input;
    const Parts *header;         // null: this is the header
    std::vector<Source> sources; // [0] is the entry
    std::vector<Part> parts;
    std::vector<std::string> includes;               // "<stddef.h>", outside conditions
    std::set<std::pair<std::string, int>> places;    // of written items: file, line
    std::set<std::string> functions;                 // and variables that are declared there

    bool is_live(const Part &part) const { return sources[part.source].is_live; }
    bool is_public_file(int source) const;           // all of it is part of the header
    bool is_public(const Part &part) const;          // the header declares a name of the part
    // A function of another program: a prototype that says extern, which those of the files do not.
    static bool is_imported(const Part &part);
    // Otherwise its opening comment and its headings do not describe what is left of the source.
    bool is_mostly_needed(int source) const;
};

// The text of the parts that are `written`. Sets places and functions.
sg_expanded_text write_text(sg_arena *arena, Parts &parts);

// The text of an opening comment "x.h: text" without its name and the comment's frame.
std::string opening_text(llvm::StringRef comment);

// A line with the title between dashes, as a comment.
std::string heading_line(llvm::StringRef title);

// The comment behind a declaration as one above it.
std::string raised_comment(llvm::StringRef comment);

}  // namespace sg

#endif
