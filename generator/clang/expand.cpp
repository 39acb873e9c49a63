// expand.cpp: see expand.h.
#include "generator/clang/expand.h"

#include <map>

#include <llvm/ADT/STLExtras.h>

#include "generator/base/hash.h"
#include "generator/base/text.h"
#include "generator/clang/arena_copy.h"
#include "generator/clang/expand_text.h"

namespace sg {

using llvm::StringRef;

namespace {

// Makes the header, or the C file on top of it.
class Expander {
public:
    Expander(sg_arena *arena, sg_diags *diags, const sg_expand_input &input, const char *entry,
              const Expander *header)
        : arena_(arena), diags_(diags), input_(input), entry_(entry),
          all_{input, header ? &header->all_ : nullptr, {}, {}, {}, {}, {}}
    {
    }

    std::vector<sg_input> inputs;
    std::vector<sg_expanded_name> names;

    // Decides which items are written.
    bool choose()
    {
        if (!load(entry_, NONE, {nullptr, 0, 0}))
            return false;
        find_needs();
        return select();
    }

    sg_expanded_text write()
    {
        const sg_expanded_text text = write_text(arena_, all_);
        list_names();
        return text;
    }

private:
    bool say(sg_severity severity, sg_loc at, const std::string &message) const
    {
        sg_diag(diags_, severity, at, "%s", message.c_str());
        return false;
    }
    bool fail(sg_loc at, const std::string &message) const { return say(SG_ERROR, at, message); }

    // ---- the order of the text ----

    bool load(const std::string &file, int parent, sg_loc from)
    {
        const auto known =
            llvm::find_if(all_.sources, [&](const Source &s) { return s.name == file; });
        const int index = static_cast<int>(known - all_.sources.begin());
        const char *name = sg_arena_strdup(arena_, file.c_str()), *content;
        size_t length;
        Source source;
        ItemFile items;

        if (parent != NONE)
            all_.sources[parent].includes.insert(index);
        if (known != all_.sources.end()) {
            std::string circle = file;
            for (int i = parent; known->is_open && i != index; i = all_.sources[i].parent)
                circle = all_.sources[i].name + ", " + circle;
            return !known->is_open ||
                   fail(from, "the includes form a circle: " + file + ", " + circle);
        }
        const int error = sg_read_file(arena_, sg_path_join(arena_, input_.root, name),
                                       SG_LARGEST_INPUT, &content, &length);
        if (error)
            return fail(from.file ? from : sg_loc{name, 0, 0},
                        file + " cannot be read: " + sg_read_error(error));
        if (strlen(content) != length)
            return fail({name, 0, 0}, "the file has a byte 0; expected text");
        inputs.push_back({name, sg_hash_bytes(content, length)});
        if (!read_items(diags_, name, content, {input_.macros, input_.macro_count}, items))
            return false;
        source.name = file;
        source.opening = opening_text(items.opening);
        source.is_header = StringRef(file).ends_with(".h");
        source.parent = parent;
        // Headers that the entry includes belong to no .c file in particular.
        source.section = !source.is_header ? index
                         : parent > 0 ? all_.sources[parent].section : NONE;
        all_.sources.push_back(source);
        if (!add_items(index, items.items))
            return false;
        all_.sources[index].is_open = false;
        return true;
    }

    bool add_include(int source, const FileItem &item)
    {
        const char *name = item.names[0].c_str();
        const char *folder = sg_path_dir(arena_, all_.sources[source].name.c_str());
        const char *beside = sg_path_join(arena_, folder, name);
        const bool is_beside = !sg_is_file(sg_path_join(arena_, input_.root, name)) &&
                               sg_is_file(sg_path_join(arena_, input_.root, beside));
        return load(is_beside ? beside : name, source, item.loc);
    }

    // Includes within a condition come before the condition, since other files may need their
    // items regardless of it.
    bool add_items(int source, const std::vector<FileItem> &items)
    {
        std::vector<int> part_of(items.size());
        for (size_t i = 0; i < items.size(); i++) {
            for (size_t k = i; k < items.size() && items[i].group == NONE &&
                               (k == i || items[k].group != NONE); k++)
                if (items[k].kind == ItemKind::include && !add_include(source, items[k]))
                    return false;
            if (items[i].kind == ItemKind::include)
                continue;
            part_of[i] = static_cast<int>(all_.parts.size());
            Part &part = all_.parts.emplace_back(items[i]);
            part.source = source;
            part.group = part.group == NONE ? NONE : part_of[part.group];
            part.present = all_.header && all_.header->places.count({part.loc.file, part.loc.line});
            if (part.kind == ItemKind::modules) {
                const Tokens modules(input_.modules);
                part.words = modules.words(0, modules.at.size());
            }
            for (const std::string &name : part.names)
                if (part.declares())
                    declared_[name].push_back(part_of[i]);
        }
        return true;
    }

    // ---- needs ----

    // Whether a word of `user` may mean the part. Other .c files and the modules do not mean
    // private parts.
    bool sees(const Part &user, const Part &part) const
    {
        int owner = part.source;
        if (all_.sources[owner].is_header || (part.has_linkage() && !part.is_static))
            return true;
        while (owner != NONE && owner != user.source)
            owner = all_.sources[owner].parent;
        return owner != NONE && user.kind != ItemKind::modules;
    }

    // Calls take(part) for each part that a word of `user` may mean.
    void each_use(const Part &user, llvm::ArrayRef<std::string> words,
                  llvm::function_ref<void(int)> take) const
    {
        for (const std::string &word : words)
            if (const auto found = declared_.find(word); found != declared_.end())
                for (const int index : found->second)
                    if (sees(user, all_.parts[index]))
                        take(index);
    }

    // Needs the part, the lines of the condition around it, and what they use.
    void need(int first)
    {
        std::vector<int> waiting = {first};
        const auto need_later = [&](int index) { waiting.push_back(index); };
        while (!waiting.empty()) {
            const int index = waiting.back();
            waiting.pop_back();
            if (index == NONE || all_.parts[index].needed)
                continue;
            Part &part = all_.parts[index];
            part.needed = true;
            need_later(part.group);
            for (int i = index + 1; part.kind == ItemKind::if_line; i++) {
                if (all_.parts[i].group != index || !all_.parts[i].is_branch())
                    continue;
                need_later(i);
                if (all_.parts[i].kind == ItemKind::endif_line)
                    break;
            }
            if (part.present && !part.is_condition())
                continue;
            each_use(part, part.words, need_later);
            if (part.declares()) // a name's other declarations, such as a function's prototype
                each_use(part, part.names, need_later);
        }
    }

    // Files with a needed item are live, and so is what they include.
    void spread_live()
    {
        all_.sources[0].is_live = true;
        for (const Part &part : all_.parts)
            if (part.needed && !part.is_condition())
                all_.sources[part.source].is_live = true;
        for (bool has_changed = true; has_changed;) {
            has_changed = false;
            for (const Source &source : all_.sources)
                for (const int include : source.includes)
                    if (source.is_live && !all_.sources[include].is_live)
                        has_changed = all_.sources[include].is_live = true;
        }
    }

    bool is_root(const Part &part) const
    {
        if (!all_.header)
            return part.kind <= ItemKind::pragma && all_.is_public_file(part.source);
        return part.kind == ItemKind::modules ||
               (part.kind == ItemKind::function && all_.is_public(part));
    }

    // Whether an item that no word needs is needed with others.
    bool is_dependent_needed(const Part &part) const
    {
        if (part.kind != ItemKind::check)
            return (part.kind == ItemKind::call || part.kind == ItemKind::pragma ||
                    part.kind == ItemKind::undef) && all_.is_live(part);
        // A static assertion is needed if all that it names is.
        size_t needed = 0, lacking = 0;
        each_use(part, part.words, [&](int index) {
            const Part &used = all_.parts[index];
            needed += used.needed && used.kind != ItemKind::macro;
            lacking += !used.needed && used.kind != ItemKind::macro;
        });
        return lacking == 0 && needed > 0;
    }

    void find_needs()
    {
        for (size_t i = 0; i < all_.parts.size(); i++)
            if (is_root(all_.parts[i]))
                need(static_cast<int>(i));
        for (bool has_changed = true; has_changed;) {
            spread_live();
            has_changed = false;
            for (size_t i = 0; i < all_.parts.size(); i++) {
                if (all_.parts[i].needed || !is_dependent_needed(all_.parts[i]))
                    continue;
                need(static_cast<int>(i));
                has_changed = true;
            }
        }
    }

    // ---- declarations that repeat others ----

    // Users come in the order of the text. What a macro uses is used where the macro is.
    void note_users(int user, const Part &of)
    {
        each_use(of, of.words, [&](int index) {
            Part &part = all_.parts[index];
            const bool is_own = llvm::any_of(all_.parts[user].names, [&](const std::string &name) {
                return llvm::is_contained(part.names, name);
            });
            if (part.first_user != NONE || is_own)
                return;
            part.first_user = user;
            if (part.kind == ItemKind::macro)
                note_users(user, part);
        });
    }

    // Decides whether a declaration that another item completes is written.
    bool select_declaration(int index)
    {
        Part &part = all_.parts[index];
        const std::string &name = part.names[0];
        const std::vector<int> &same = declared_.find(name)->second;
        const auto found = llvm::find_if(same, [&](int i) {
            return all_.parts[i].kind == ItemKind::function ||
                   all_.parts[i].kind == ItemKind::variable;
        });

        part.written = Parts::is_imported(part);
        if (part.written || all_.is_public(part))
            return true;
        if (found == same.end())
            return part.first_user == NONE ||
                   fail(part.loc, name + " is declared and used, but no file that " + entry_ +
                                      " includes defines it") ||
                   say(SG_NOTE, all_.parts[part.first_user].loc, "the first use");
        Part &target = all_.parts[*found];
        const bool is_used_later = target.first_user == NONE || target.first_user > *found;
        if (part.kind == ItemKind::external && !is_used_later)
            return fail(all_.parts[target.first_user].loc, name + " is used here before its "
                        "definition; include the file of the definition earlier") ||
                   say(SG_NOTE, target.loc, "the definition");
        part.written = !is_used_later || (*found > index && part.has_attribute);
        if (!part.written && target.comment.empty()) {
            target.comment = part.comment.empty() ? raised_comment(part.trailing) : part.comment;
            target.blank_before = true;
        }
        return true;
    }

    // ---- conditions and headings ----

    // Writes the lines of each condition with something in it, but no empty branch at its end.
    void select_conditions()
    {
        std::set<int> is_filled;     // groups with items in this branch or a later one
        for (size_t i = all_.parts.size(); i-- > 0;) {
            Part &part = all_.parts[i];
            for (int g = part.group; part.written && g != NONE; g = all_.parts[g].group)
                is_filled.insert(g);
            if (part.kind == ItemKind::if_line)
                part.written = is_filled.count(static_cast<int>(i));
            else if (part.kind == ItemKind::else_line)
                part.written = is_filled.count(part.group);
        }
        for (Part &part : all_.parts)
            if (part.kind == ItemKind::endif_line)
                part.written = all_.parts[part.group].written;
    }

    // A heading or a note is written if something below it is, up to the next heading or the end of
    // its branch of a condition.
    void select_heading(size_t index)
    {
        Part &heading = all_.parts[index];
        if (heading.kind == ItemKind::heading && heading.source != 0 &&
            all_.sources[heading.source].is_header && !all_.is_mostly_needed(heading.source))
            return;
        for (size_t k = index + 1; k < all_.parts.size() && !heading.written; k++) {
            const Part &part = all_.parts[k];
            if (part.source != heading.source)
                continue;
            if (part.kind == ItemKind::heading ||
                (part.group == heading.group && part.is_branch()))
                return;
            heading.written = part.written && part.kind != ItemKind::note;
        }
    }

    void select_part(Part &part)
    {
        part.written = part.needed && !part.present && !part.is_condition();
        if (part.kind == ItemKind::wrapper)
            part.written = !all_.header && part.source == 0;
        if (part.kind == ItemKind::system && all_.is_live(part)) {
            part.written = part.group != NONE && !part.present;
            if (part.group == NONE && !llvm::is_contained(all_.includes, part.names[0]))
                all_.includes.push_back(part.names[0]);
        }
    }

    bool select()
    {
        bool is_fine = true;
        for (Part &part : all_.parts)
            select_part(part);
        for (size_t i = 0; i < all_.parts.size(); i++)
            if (all_.parts[i].needed && all_.parts[i].kind != ItemKind::macro)
                note_users(static_cast<int>(i), all_.parts[i]);
        for (size_t i = 0; i < all_.parts.size() && all_.header; i++) {
            const Part &part = all_.parts[i];
            if (part.written && (part.kind == ItemKind::prototype ||
                                 part.kind == ItemKind::external))
                is_fine = select_declaration(static_cast<int>(i)) && is_fine;
        }
        select_conditions();
        for (size_t i = 0; i < all_.parts.size(); i++)
            if (all_.parts[i].kind == ItemKind::heading || all_.parts[i].kind == ItemKind::note)
                select_heading(i);
        return is_fine;
    }

    // The names, but for macros that are not defined where the modules stand.
    void list_names()
    {
        const auto modules = llvm::find_if(all_.parts, [](const Part &p) {
            return p.kind == ItemKind::modules;
        });
        for (auto part = all_.parts.begin(); part != all_.parts.end(); ++part) {
            const bool is_macro = part->kind == ItemKind::macro;
            if (!part->declares() || !(part->written || part->present) ||
                (is_macro && (part > modules || std::any_of(part, modules, [&](const Part &p) {
                     return p.written && p.kind == ItemKind::undef && p.names == part->names;
                 }))))
                continue;
            const bool is_called = is_macro && StringRef(part->text).contains(part->names[0] + "(");
            for (const std::string &name : part->names)
                names.push_back({sg_arena_strdup(arena_, name.c_str()), part->loc,
                                 is_called ? SG_CALLED_MACRO : is_macro ? SG_PLAIN_MACRO
                                                                        : SG_NO_MACRO});
        }
        llvm::stable_sort(names, [](const sg_expanded_name &a, const sg_expanded_name &b) {
            return strcmp(a.name, b.name) < 0;
        });
    }

    sg_arena *arena_;
    sg_diags *diags_;
    const sg_expand_input &input_;
    const char *entry_;
    Parts all_;
    std::map<std::string, std::vector<int>> declared_;   // the parts that declare a name
};

}  // namespace

}  // namespace sg

extern "C" bool sg_expand(sg_arena *arena, sg_diags *diags, const sg_expand_input *input,
                          sg_expanded *out)
{
    sg::Expander header(arena, diags, *input, input->header, nullptr);
    sg::Expander source(arena, diags, *input, input->source, &header);
    sg_expanded all = {};

    *out = all;
    if (!header.choose())
        return false;
    all.header = header.write();
    if (!source.choose())
        return false;
    all.source = source.write();
    header.inputs.insert(header.inputs.end(), source.inputs.begin(), source.inputs.end());
    sg_input *inputs = sg::in_arena(arena, header.inputs);
    all.inputs = inputs;
    all.input_count = sg_inputs_sort(inputs, header.inputs.size());
    all.names = sg::in_arena(arena, source.names);
    all.name_count = source.names.size();
    *out = all;
    return true;
}

extern "C" const char *sg_heading_line(sg_arena *arena, const char *title)
{
    return sg_arena_strdup(arena, sg::heading_line(title).c_str());
}
