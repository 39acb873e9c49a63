// c_items.cpp: see c_items.h.
#include "generator/clang/c_items.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace sg {

using llvm::StringRef;
namespace tok = clang::tok;

namespace {

// The tokens of one declaration outside brackets, each bracket as one.
class Declaration {
public:
    explicit Declaration(const Tokens &tokens) : tokens_(tokens) {}

    std::string fault;
    size_t fault_at = 0;         // a token

    // Reads from token i on. Returns the token behind, or 0 and sets `fault`.
    size_t read(size_t i)
    {
        fault = "the definition that begins here does not end";
        fault_at = i;
        for (size_t end; !tokens_.is(i, tok::eof); i = end) {
            end = i + 1;
            if (tokens_.is(i, tok::comment))
                continue;
            if (tokens_.is_any(i, {"(", "[", "{"}))
                end = bracket_end(i);
            if (tokens_.is_any(i, {")", "]", "}"}))
                return fail(i, quoted(i) + " without a bracket that it closes");
            if (!tokens_.directive_name(i).empty())
                return fail(i, "a directive within a definition; put it around the definition");
            if (end == 0)
                return 0;
            const bool is_body = tokens_.is(i, tok::l_brace) && !top_.empty() &&
                                 is(top_.size() - 1, "(") && !has("typedef") && !has("=");
            top_.push_back({i, end});
            if (tokens_.is(i, tok::semi) || is_body || stands_alone(end))
                return end;
        }
        return 0;
    }

    // Sets kind, names, open, close, is_static and has_attribute.
    void describe(FileItem &item) const
    {
        const StringRef first = tokens_.spelling(top_[0].begin);
        const bool is_macro = top_.size() <= 3 && is_capital(top_[0].begin) && is(1, "(");
        bool in_value = false, is_type = true;

        item.is_static = has("static");
        item.kind = first == "_Static_assert" || (is_macro && first.ends_with("_ASSERT"))
                        ? ItemKind::check : is_macro ? ItemKind::call : ItemKind::type;
        for (size_t i = 0; i < top_.size() && item.kind == ItemKind::type; i++) {
            bool is_tag = false;
            in_value = is(i, "=") || (in_value && !is(i, ","));
            const StringRef name = in_value || item.close ? "" : declared(i, is_tag);
            if (is(i, "{") && has("enum") && !in_value)
                add_enumerators(item, top_[i]);
            if (name.empty())
                continue;
            if (!llvm::is_contained(item.names, name))
                item.names.push_back(name.str());
            is_type = is_type && is_tag;
            if (!has("typedef"))
                find_parameters(item, i);
        }
        if (item.close)
            item.kind = is(top_.size() - 1, "{") ? ItemKind::function : ItemKind::prototype;
        else if (!is_type && !has("typedef"))
            item.kind = has("extern") && !has("=") ? ItemKind::external : ItemKind::variable;
    }

private:
    struct Top {
        size_t begin, end;       // tokens
    };

    bool is(size_t top, StringRef word) const
    {
        return top < top_.size() && tokens_.spelling(top_[top].begin) == word;
    }
    bool has(StringRef word) const
    {
        return llvm::any_of(top_, [&](Top t) { return tokens_.spelling(t.begin) == word; });
    }
    bool is_capital(size_t token) const
    {
        const StringRef word = tokens_.spelling(token);
        return tokens_.is_word(token) && word.upper() == word && llvm::any_of(word, llvm::isAlpha);
    }
    // A word before a bracket that is no function: __attribute__((...)), MACRO(...).
    bool is_attribute(size_t top) const
    {
        const size_t token = top_[top].begin;
        return is(top + 1, "(") &&
               (is_capital(token) ||
                tokens_.is_any(token, {"__attribute__", "__declspec", "_Alignas", "__asm__"}));
    }
    // Whether MACRO(...) needs no semicolon, and is no attribute of what follows.
    bool stands_alone(size_t end) const
    {
        return top_.size() == 2 && is_capital(top_[0].begin) && is(1, "(") &&
               tokens_.at[end].starts_line &&
               (tokens_.newlines_before(end) > 1 || !tokens_.is_word(end) || is_capital(end));
    }

    std::string quoted(size_t token) const { return "'" + tokens_.spelling(token).str() + "'"; }
    size_t fail(size_t token, const std::string &message)
    {
        fault = message;
        fault_at = token;
        return 0;
    }

    // Behind the bracket at token i, or 0. Branches of a condition each begin in the brackets of
    // the first.
    size_t bracket_end(size_t i)
    {
        constexpr llvm::StringLiteral BRACKETS = "([{)]}";
        std::vector<std::vector<size_t>> branches;
        std::vector<size_t> open;
        for (; !tokens_.is(i, tok::eof); i++) {
            const StringRef name = tokens_.directive_name(i);
            if (name.starts_with("if"))
                branches.push_back(open);
            else if (name.starts_with("el") && !branches.empty())
                open = branches.back();
            else if (name == "endif" && !branches.empty())
                branches.pop_back();
            if (!name.empty()) {
                i = tokens_.directive_end(i) - 1;
                continue;
            }
            const size_t bracket = BRACKETS.find(tokens_.spelling(i));
            if (bracket < 3) {
                open.push_back(i);
            } else if (bracket < 6) {
                const char expected = BRACKETS[BRACKETS.find(tokens_.spelling(open.back())) + 3];
                if (expected != BRACKETS[bracket])
                    return fail(i, std::string("expected '") + expected + "' for the " +
                                       quoted(open.back()) + " of line " +
                                       std::to_string(tokens_.line(tokens_.at[open.back()].begin)) +
                                       ", found " + quoted(i));
                open.pop_back();
            }
            if (open.empty())
                return i + 1;
        }
        return 0;
    }

    // The name in "(*name)" or "(*name(args))", or 0.
    size_t pointer_name(size_t top) const
    {
        size_t i = top_[top].begin + 1;
        if (!is(top, "(") || !tokens_.is(i, tok::star))
            return 0;
        while (tokens_.is_any(i, {"*", "const"}))
            i++;
        return tokens_.is_word(i) ? i : 0;
    }

    // The name that a token outside brackets declares, or "".
    StringRef declared(size_t top, bool &is_tag) const
    {
        const size_t token = top_[top].begin;
        if (const size_t pointer = pointer_name(top))
            return tokens_.spelling(pointer);
        is_tag = top > 0 && tokens_.is_any(top_[top - 1].begin, {"struct", "union", "enum"});
        if (!tokens_.is_word(token) || is_attribute(top) || top + 1 == top_.size())
            return "";
        const bool ends =
            is_tag ? is(top + 1, "{") || is(top + 1, ";")
                   : is_attribute(top + 1) ||
                         (tokens_.is_any(top_[top + 1].begin, {"(", "[", "=", ",", ";"}) &&
                          pointer_name(top + 1) == 0);
        return ends ? tokens_.spelling(token) : "";
    }

    // If the name at `top` is a function's: "name(args)" or "(*name(args))(args)".
    void find_parameters(FileItem &item, size_t top) const
    {
        const unsigned begin = tokens_.at[top_[0].begin].begin;
        const bool is_pointer = is(top, "(");
        if (is_pointer ? !tokens_.is(pointer_name(top) + 1, tok::l_paren) : !is(top + 1, "("))
            return;
        const size_t bracket = is_pointer ? top : top + 1;
        item.open = tokens_.at[top_[bracket].begin].begin - begin;
        item.close = tokens_.at[top_[bracket].end - 1].end - begin;
        item.has_attribute = bracket + 2 < top_.size();
        for (size_t i = 0; i < top; i++)
            item.has_attribute = item.has_attribute || is_attribute(i);
    }

    void add_enumerators(FileItem &item, Top braces) const
    {
        bool is_next = true;
        for (size_t i = braces.begin + 1; i + 1 < braces.end; i++) {
            if (is_next && tokens_.is_word(i))
                item.names.push_back(tokens_.spelling(i).str());
            if (!tokens_.directive_name(i).empty())
                i = tokens_.directive_end(i) - 1;
            else
                is_next = tokens_.is(i, tok::comma) || (is_next && tokens_.is(i, tok::comment));
        }
    }

    const Tokens &tokens_;
    std::vector<Top> top_;
};

// Splits a text whose conditions are decided.
class Splitter {
public:
    Splitter(sg_diags *diags, const char *file, StringRef text, const std::vector<int> &lines,
             ItemFile &out)
        : diags_(diags), file_(file), tokens_(text, lines), out_(out) {}

    bool split()
    {
        for (size_t i = 0; !tokens_.is(i, tok::eof);) {
            blank_ = blank_ || tokens_.newlines_before(i) > 1;
            i = tokens_.is(i, tok::semi) ? i + 1
                : tokens_.is(i, tok::comment) ? read_comment(i)
                : !tokens_.directive_name(i).empty() ? read_directive(i) : read_declaration(i);
            if (i == 0)
                return false;
        }
        return true;
    }

private:
    sg_loc place(size_t token) const
    {
        return tokens_.place(file_, tokens_.at[token].begin);
    }
    size_t fail(size_t token, const std::string &message)
    {
        sg_diag(diags_, SG_ERROR, place(token), "%s", message.c_str());
        return 0;
    }

    // Returns `end`; the item is the last one of out_.
    size_t add(ItemKind kind, size_t first, size_t end, StringRef name = "")
    {
        FileItem &item = out_.items.emplace_back();
        item.kind = kind;
        item.loc = place(first);
        item.begin = place(comment_end_ ? comment_ : first);
        item.text = tokens_.slice(first, end).str();
        item.words = tokens_.words(first, end);
        item.comment = tokens_.slice(comment_, comment_end_).str();
        item.blank_before = blank_;
        for (const int group : groups_)
            item.group = group == GUARD ? item.group : group;
        if (!name.empty())
            item.names = {name.str()};
        comment_ = comment_end_ = 0;
        blank_ = false;
        return end;
    }

    // "x.h: ..." or "folder/x.h: ..." at the beginning of x.h.
    bool is_opening(size_t i) const
    {
        const auto [name, rest] = tokens_.spelling(i).drop_front(2).ltrim(' ').split(':');
        return out_.items.empty() && out_.opening.empty() && !name.empty() && !rest.empty() &&
               ("/" + StringRef(file_).str()).find("/" + name.str()) != std::string::npos &&
               StringRef(file_).ends_with(name);
    }

    size_t read_comment(size_t i)
    {
        const size_t first = comment_end_ ? comment_ : i;
        const bool is_heading = tokens_.spelling(i).starts_with("/* ----");
        if (is_opening(i)) {
            out_.opening = tokens_.spelling(i).str();
            blank_ = true;
            return i + 1;
        }
        if (is_heading || tokens_.is(i + 1, tok::eof) || tokens_.newlines_before(i + 1) > 1) {
            comment_ = comment_end_ = 0;
            return add(is_heading ? ItemKind::heading : ItemKind::note, first, i + 1);
        }
        comment_ = first;
        return comment_end_ = i + 1;
    }

    // #ifndef NAME_H, and behind it #define NAME_H.
    bool is_guard(size_t hash) const
    {
        const size_t define = tokens_.directive_end(hash), end = define + 3;
        return tokens_.directive_name(hash) == "ifndef" &&
               tokens_.directive_name(define) == "define" && tokens_.directive_end(define) == end &&
               tokens_.spelling(hash + 2).ends_with("_H") &&
               tokens_.spelling(hash + 2) == tokens_.spelling(define + 2);
    }

    // Behind lines such as
    //     #ifdef __cplusplus
    //     extern "C" {
    //     #endif
    // or 0 if other lines begin at `hash`.
    size_t wrapper_end(size_t hash) const
    {
        const size_t inner = tokens_.directive_end(hash);
        size_t last = inner;
        if (tokens_.directive_name(inner) == "pragma" && tokens_.is_any(inner + 3, {"visibility"}))
            last = tokens_.directive_end(inner);
        else if (tokens_.is(inner, tok::r_brace))
            last = inner + 1;
        else if (tokens_.is_any(inner, {"extern"}) && tokens_.is_any(inner + 1, {"\"C\""}))
            last = inner + 3;
        return last > inner && tokens_.directive_name(last) == "endif" ? tokens_.directive_end(last)
                                                                       : 0;
    }

    size_t read_condition(size_t hash, StringRef name)
    {
        const size_t end = tokens_.directive_end(hash);
        const bool begins = name.starts_with("if"), ends = name == "endif";
        const size_t behind = begins ? wrapper_end(hash) : 0;
        if (behind)
            return add(ItemKind::wrapper, hash, behind);
        if (is_guard(hash)) {
            groups_.push_back(GUARD);
            return tokens_.directive_end(end);
        }
        if (!ends || groups_.back() != GUARD)
            add(begins ? ItemKind::if_line : ends ? ItemKind::endif_line : ItemKind::else_line,
                hash, end);
        if (begins)
            groups_.push_back(static_cast<int>(out_.items.size()) - 1);
        else if (ends)
            groups_.pop_back();
        return end;
    }

    size_t read_directive(size_t hash)
    {
        const StringRef name = tokens_.directive_name(hash);
        const size_t end = tokens_.directive_end(hash);
        StringRef rest = tokens_.slice(hash + 2, end);
        if (name.starts_with("if") || name.starts_with("el") || name == "endif")
            return read_condition(hash, name);
        if (name == "define" || name == "undef") {
            const StringRef what = tokens_.spelling(hash + 2);
            // _GNU_SOURCE, __USE_MINGW_ANSI_STDIO: names for the system's headers.
            const bool is_feature = what.size() > 1 && what[0] == '_' &&
                                    (what[1] == '_' || (what[1] >= 'A' && what[1] <= 'Z'));
            return add(name == "undef" ? ItemKind::undef
                       : is_feature ? ItemKind::feature : ItemKind::macro, hash, end, what);
        }
        if (name != "include") {
            const bool wraps = name == "pragma" && rest.starts_with("GCC visibility");
            return add(wraps ? ItemKind::wrapper : ItemKind::pragma, hash, end);
        }
        if (rest == "SPMV_BUNDLE_MODULES")
            return add(ItemKind::modules, hash, end);
        if (rest.starts_with("<") && rest.contains('>'))
            return add(ItemKind::system, hash, end, rest.take_front(rest.find('>') + 1));
        if (rest.consume_front("\"") && rest.contains('"'))
            return add(ItemKind::include, hash, end, rest.take_until([](char c) {
                return c == '"';
            }));
        return fail(hash, "expected #include \"FILE\", <FILE> or SPMV_BUNDLE_MODULES");
    }

    size_t read_declaration(size_t i)
    {
        Declaration declaration(tokens_);
        const size_t end = declaration.read(i);
        if (end == 0)
            return fail(declaration.fault_at, declaration.fault);
        const bool has_trailing = tokens_.is(end, tok::comment) && !tokens_.at[end].starts_line &&
                                  tokens_.at[end + 1].starts_line;
        add(ItemKind::type, i, end + has_trailing);
        if (has_trailing)
            out_.items.back().trailing = tokens_.spelling(end).str();
        declaration.describe(out_.items.back());
        return end + has_trailing;
    }

    static constexpr int GUARD = -2;

    sg_diags *diags_;
    const char *file_;
    Tokens tokens_;
    ItemFile &out_;
    size_t comment_ = 0, comment_end_ = 0;   // tokens that belong to the next item
    bool blank_ = false;         // an empty line stands before the next item
    std::vector<int> groups_;    // the open conditions; GUARD: of an include guard
};

}  // namespace

bool read_items(sg_diags *diags, const char *file, StringRef text,
                llvm::ArrayRef<sg_expand_macro> macros, ItemFile &out)
{
    std::string decided;
    std::vector<int> lines;
    return decide_conditions(diags, file, text, macros, decided, lines) &&
           Splitter(diags, file, decided, lines, out).split();
}

}  // namespace sg
