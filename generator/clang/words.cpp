// words.cpp: fills the placeholders of a word's text, with the parentheses that they need.
#include "generator/clang/words.h"

#include <llvm/ADT/StringExtras.h>

#include "generator/clang/text_layout.h"

namespace sg {

using llvm::StringRef;

// Moves `code` behind the bracket that closes its first one. Returns false if none does.
static bool skip_brackets(StringRef &code)
{
    int depth = 0;
    for (size_t at = 0; at < code.size(); at++) {
        const char c = code[at];
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (!depth) {
            code = code.substr(at + 1);
            return true;
        }
    }
    return false;
}

bool is_primary(StringRef marked)
{
    const std::optional<std::string> bare = bare_code(without_marks(marked));
    if (!bare)
        return false;
    StringRef code = StringRef(*bare).trim(BLANKS);
    const bool bracketed = code.starts_with("(");
    if (bracketed ? !skip_brackets(code) : code.empty() || !(is_word(code[0]) || code[0] == '.'))
        return false;
    if (!bracketed)
        code = code.drop_while([](char c) { return is_word(c) || c == '.'; });
    for (;;) {
        code = code.ltrim(BLANKS);
        if (code.empty())
            return true;
        if (code[0] == '[' || (code[0] == '(' && !bracketed)) {
            if (!skip_brackets(code))
                return false;
        } else if (code.consume_front("->") || code.consume_front(".")) {
            code = code.ltrim(BLANKS).drop_while(is_word);
        } else {
            return false;
        }
    }
}

std::string one_line(StringRef marked)
{
    const std::string plain = without_marks(marked);
    const std::string bare = bare_code(plain).value_or(plain);
    std::string out;
    for (size_t at = 0; at < plain.size(); at++) {
        if (!BLANKS.contains(bare[at]))
            out += plain[at];
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    return StringRef(out).rtrim(' ').str();
}

namespace {

// How a placeholder stands in a word's text.
struct Surroundings {
    bool alone;                  // between ( or [ or a comma, and ) or ] or a comma
    bool converts;               // a call or subscript around it converts it
};

// Fills one word's text.
class Expansion {
public:
    Expansion(const sg_word &word, llvm::ArrayRef<Argument> arguments, clang::SourceLocation at,
              Report &report)
        : text_(StringRef(word.text).trim()), bare_(bare_code(text_).value_or(text_.str())),
          word_(word), arguments_(arguments), at_(at), report_(report),
          used_(arguments.size(), 0) {}

    std::string run();

private:
    Surroundings surroundings(size_t begin, size_t end) const;
    void argument(size_t index, Surroundings around);
    void parameter(StringRef name);
    size_t other_word(StringRef name, size_t open);
    void check_effects();

    StringRef text_;
    const std::string bare_;
    const sg_word &word_;
    llvm::ArrayRef<Argument> arguments_;
    clang::SourceLocation at_;
    Report &report_;
    llvm::SmallVector<unsigned, 8> used_;
    std::string out_;
};

}  // namespace

Surroundings Expansion::surroundings(size_t begin, size_t end) const
{
    const StringRef before = StringRef(bare_).take_front(begin).rtrim();
    const StringRef after = StringRef(bare_).substr(end).ltrim();
    if (before.empty() || after.empty() || !StringRef("([,").contains(before.back()) ||
        !StringRef(")],").contains(after.front()))
        return {begin == 0 && end == text_.size(), false};
    // Tell a call's list and a subscript from mere parentheses.
    int depth = 0;
    size_t open = before.size();
    while (open > 0) {
        const char c = before[--open];
        depth += (c == ')' || c == ']') - (c == '(' || c == '[');
        if (depth < 0)
            break;
    }
    const StringRef callee = before.take_front(open).rtrim();
    return {true, before[open] == '[' || (!callee.empty() && is_word(callee.back()))};
}

void Expansion::argument(size_t index, Surroundings around)
{
    if (index >= arguments_.size()) {
        report_.error(word_.loc, llvm::Twine("the text of '") + word_.name + "' uses $" +
                                     llvm::Twine(index + 1) + ", but the word takes " +
                                     llvm::Twine(arguments_.size()) + " arguments");
        return;
    }
    const Argument &argument = arguments_[index];
    used_[index]++;
    std::string text = argument.text;
    if (!argument.cast.empty() && !around.converts)
        text = "(" + argument.cast + ")" + (is_primary(text) ? text : "(" + text + ")");
    out_ += around.alone || argument.is_operand || is_primary(text) ? text : "(" + text + ")";
}

void Expansion::parameter(StringRef name)
{
    const sg_spec_param *value = report_.find_param(name);
    if (!value) {
        report_.error(word_.loc, "the text of '" + llvm::Twine(word_.name) + "' uses $" + name +
                                     ", which is no parameter of the method");
        return;
    }
    report_.note_use(value);
    out_ += value->value < 0 ? "(" + std::to_string(value->value) + ")"
                             : std::to_string(value->value);
}

// True for a conversion of C++, such as static_cast<int>(a).
static bool is_conversion(StringRef text)
{
    const StringRef type = text.drop_while(is_word);
    const size_t open = type.find('(');
    return text.drop_back(type.size()).ends_with("_cast") && type.starts_with("<") &&
           open != StringRef::npos && is_primary(type.substr(open));
}

// Expands another word in a helper's text: $WORD(ARGUMENTS), with its bracket at `open`. Returns
// the place behind the expression, or 0 if there is none.
size_t Expansion::other_word(StringRef name, size_t open)
{
    const sg_word *word = report_.find_word(name);
    StringRef rest = StringRef(bare_).substr(open);
    if (word_.form != SG_WORD_HELPER || !word || word->form != SG_WORD_TEXT ||
        !rest.starts_with("(") || !skip_brackets(rest))
        return 0;
    const size_t close = bare_.size() - rest.size() - 1;
    llvm::SmallVector<Argument, 4> arguments;
    size_t begin = open + 1;
    int depth = 0;
    for (size_t i = begin; i <= close; i++) {
        const char c = bare_[i];
        if (i == close || (c == ',' && depth == 0)) {
            const std::string part = text_.slice(begin, i).trim().str();
            const sg_word piece = {word_.name, SG_WORD_HELPER, part.c_str(), nullptr,
                                   word_.of_isa, word_.loc};
            arguments.push_back({expand(piece, {}, at_, report_), "", false, is_conversion(part)});
            begin = i + 1;
        }
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    }
    out_ += expand(*word, arguments, at_, report_);
    return close + 1;
}

// An argument with side effects must be written exactly once.
void Expansion::check_effects()
{
    for (size_t i = 0; i < used_.size(); i++) {
        if (!arguments_[i].has_effects || used_[i] == 1)
            continue;
        report_.error(at_, "argument " + llvm::Twine(i + 1) + " of '" + word_.name +
                               "' has side effects, but the word's text uses it " +
                               (used_[i] ? "more than once" : "nowhere") +
                               "; give it a variable of its own");
        report_.note(word_.loc, "the text is here");
    }
}

std::string Expansion::run()
{
    for (size_t at = 0; at < text_.size();) {
        const StringRef name = text_.substr(at + 1).take_while(is_word);
        if (text_[at] != '$' || name.empty()) {
            out_ += text_[at++];
            continue;
        }
        const size_t end = at + 1 + name.size();
        if (const size_t behind = other_word(name, end)) {
            at = behind;
            continue;
        }
        if (llvm::isDigit(name[0]))
            argument(name.size() == 1 && name[0] != '0' ? static_cast<size_t>(name[0] - '1')
                                                        : ~size_t(0) - 1,
                     surroundings(at, end));
        else
            parameter(name);
        at = end;
    }
    check_effects();
    return std::move(out_);
}

std::string expand(const sg_word &word, llvm::ArrayRef<Argument> arguments,
                   clang::SourceLocation at, Report &report)
{
    return Expansion(word, arguments, at, report).run();
}

}  // namespace sg
