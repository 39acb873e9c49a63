/* man_page.c: the man page of a program. See program.h.
 *
 * Text is filled: words go to lines of at most 78 columns, and a sentence begins a line, since roff
 * sets the space between sentences there. */
#include "common/program.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { LINE = 78, WORD = 256 };

/* Prints a character so that roff shows it as it is. Returns the number of bytes. */
static int print_character(FILE *out, char c)
{
    static const struct {
        char c;
        const char *roff;
    } special[] = {
        { '\\', "\\e" }, { '-', "\\-" }, { '\'', "\\(aq" }, { '`', "\\(ga" }, { '^', "\\(ha" },
        { '~', "\\(ti" }, { '"', "\\(dq" },
    };

    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (special[i].c == c)
            return fprintf(out, "%s", special[i].roff);
    return fprintf(out, "%c", c);
}

static int print_plain(FILE *out, const char *text, size_t length)
{
    int bytes = 0;

    for (size_t i = 0; i < length; i++)
        bytes += print_character(out, text[i]);
    return bytes;
}

/* The length of the beginning of `text` that stands in another font: of an option (*font is 'B') or
 * of a name in capitals (*font is 'I'). 0: none. */
static size_t fonted(const char *text, bool begins, char *font)
{
    size_t length = 0;

    *font = 'B';
    if (begins && text[0] == '-' && text[1] == '-' && islower((unsigned char)text[2]))
        return 2 + strspn(text + 2, "abcdefghijklmnopqrstuvwxyz-");
    *font = 'I';
    while (isupper((unsigned char)text[length]))
        length++;
    return length > 1 && !isalnum((unsigned char)text[length]) && text[length] != '_' ? length : 0;
}

/* A name must not be hyphenated: a word with more than small letters inside. */
static bool is_name(const char *word)
{
    const char *other = word + 1;

    while (islower((unsigned char)*other))
        other++;
    return word[0] && other[0] && other[1];
}

/* Prints a word without spaces; with options in bold. capitals: also names of values in italics. */
static int print_word(FILE *out, const char *word, bool capitals)
{
    int bytes = is_name(word) ? fprintf(out, "%s", "\\%") : 0;
    bool begins = true;

    if (word[0] == '.')
        bytes += fprintf(out, "\\&");

    while (*word) {
        char font;
        const size_t length = fonted(word, begins, &font);
        if (length && (font == 'B' || (capitals && begins))) {
            bytes += fprintf(out, "\\f%c", font) + print_plain(out, word, length);
            bytes += fprintf(out, "\\fR");
            word += length;
        } else {
            bytes += print_character(out, *word++);
        }
        begins = !isalnum((unsigned char)word[-1]) && word[-1] != '-';
    }
    return bytes;
}

/* ---- filled text --------------------------------------------------------------------------- */

/* The column of a paragraph's text: 0 at the beginning of a line. */
typedef struct paragraph {
    FILE *out;
    int column;
} paragraph;

static void end_line(paragraph *p)
{
    if (p->column)
        fputc('\n', p->out);
    p->column = 0;
}

static void add_word(paragraph *p, const char *text, size_t length)
{
    char word[WORD];

    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (p->column && p->column + 1 + (int)length > LINE - 8)     /* room for escapes */
        end_line(p);
    if (p->column)
        p->column += fprintf(p->out, " ");
    p->column += print_word(p->out, word, false);
    if (strchr(".?!", word[strlen(word) - 1]))
        end_line(p);
}

/* Adds the words of a text, or of its first line. */
static void add_text(paragraph *p, const char *text, bool first_line)
{
    while (*text && !(first_line && *text == '\n')) {
        const size_t length = strcspn(text, " \n");
        if (length)
            add_word(p, text, length);
        text += length + (text[length] == ' ' || (text[length] == '\n' && !first_line));
    }
}

/* Prints a text as sentences: with a capital, unless it begins with a name, and a full stop. */
static void print_sentences(FILE *out, const char *text)
{
    paragraph p = { .out = out };
    const size_t length = strcspn(text, " \n"), end = strlen(text);
    char word[WORD];

    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (strspn(word, "abcdefghijklmnopqrstuvwxyz") == strcspn(word, ",:;"))
        word[0] = (char)toupper((unsigned char)word[0]);
    add_word(&p, word, strlen(word));
    add_text(&p, text + length, false);
    if (p.column && !strchr(".?!", text[end - 1]))
        fputc('.', out);
    end_line(&p);
}

/* Prints notes; see sg_program.notes. */
static void print_notes(FILE *out, const char *notes)
{
    paragraph p = { .out = out };
    bool listed = false;

    for (const char *line = notes; *line; line += strcspn(line, "\n") + 1) {
        const size_t indent = strspn(line, " "), length = strcspn(line, "\n");
        const char *text = line + indent;
        if (indent == 2) {
            const char *gap = strstr(text, "  ");
            end_line(&p);
            fputs(".TP\n.B \"", out);
            print_plain(out, text, (size_t)(gap - text));
            fputs("\"\n", out);
            text = gap + strspn(gap, " ");
        } else if (indent == 0 && (listed || (line != notes && line[length - 1] == ':'))) {
            end_line(&p);
            fputs(".PP\n", out);
        }
        listed = indent > 0;
        add_text(&p, text, true);
    }
    end_line(&p);
}

/* ---- sections ------------------------------------------------------------------------------ */

static void print_entries(FILE *out, const char *title, const sg_program_entry *entry)
{
    if (!entry || !entry->name)
        return;
    fprintf(out, ".SH %s\n", title);
    for (; entry->name; entry++) {
        fputs(".TP\n.B \"", out);
        print_plain(out, entry->name, strlen(entry->name));
        fputs("\"\n", out);
        print_sentences(out, entry->text);
    }
}

/* Says which values the parser accepts, where the value's name does not. */
static void print_range(FILE *out, const sg_option *option)
{
    if (option->kind == SG_OPTION_INTEGER && option->max < INT32_MAX)
        fprintf(out, "From %" PRId64 " to %" PRId64 ".\n", option->min, option->max);
    if (option->choices && !strchr(option->value, '|')) {
        fputs("One of", out);
        for (size_t i = 0; option->choices[i]; i++) {
            fputs(i ? ", " : " ", out);
            print_word(out, option->choices[i], false);
        }
        fputs(".\n", out);
    }
}

static void print_option(FILE *out, const sg_option *option)
{
    if (option->section)
        fprintf(out, ".SS %s\n", option->section);
    fputs(".TP\n", out);
    if (option->letter)
        fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", out);
    print_plain(out, option->name, strlen(option->name));
    fputs("\\fR", out);
    if (option->value) {
        fputc(' ', out);
        print_word(out, option->value, true);
    }
    fputc('\n', out);
    print_sentences(out, option->help);
    print_range(out, option);
}

/* The page of a command, "spmvbench compare", is spmvbench-compare(1). */
static void print_name(FILE *out, const char *name, bool upper)
{
    for (const char *c = name; *c; c++)
        if (*c == ' ')
            fputs("\\-", out);
        else
            fputc(upper ? toupper((unsigned char)*c) : *c, out);
}

static void print_commands(FILE *out, const sg_program *program)
{
    if (!program->commands)
        return;
    fputs(".SH COMMANDS\nEach has options and a page of its own.\n", out);
    for (size_t i = 0; program->commands[i]; i++) {
        fputs(".TP\n.BR ", out);
        print_name(out, program->commands[i]->name, false);
        fputs(" (1)\n", out);
        print_sentences(out, program->commands[i]->purpose);
    }
}

static void print_head(FILE *out, const sg_program *program)
{
    fputs(".TH ", out);
    print_name(out, program->name, true);
    fprintf(out, " 1 %s \"%s %s\" \"User Commands\"\n", program->date, program->name,
            program->version);
    fputs(".ad l\n.SH NAME\n", out);
    print_name(out, program->name, false);
    fprintf(out, " \\- %s\n.SH SYNOPSIS\n\\fB%s\\fR", program->purpose, program->name);
    for (const char *word = program->usage; *word; word += strspn(word, " ")) {
        char copy[WORD];
        const size_t length = strcspn(word, " ");
        snprintf(copy, sizeof copy, "%.*s", (int)length, word);
        fputc(' ', out);
        print_word(out, copy, true);
        word += length;
    }
    fputc('\n', out);
}

void sg_man_page_print(const sg_program *program, FILE *out)
{
    fprintf(out, ".\\\" Made by %s \\-\\-man from its table of options.\n", program->name);
    print_head(out, program);
    fputs(".SH DESCRIPTION\n", out);
    print_sentences(out, program->description);
    fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < program->table->count; i++)
        print_option(out, &program->table->options[i]);
    print_commands(out, program);
    if (program->notes[0])
        fputs(".SH OUTPUT\n", out);
    print_notes(out, program->notes);
    print_entries(out, "EXIT STATUS", program->exit_codes);
    print_entries(out, "FILES", program->files);
    for (size_t i = 0; program->sections[i]; i++)
        fprintf(out, "%s\n", program->sections[i]);
    fprintf(out, ".SH SEE ALSO\n%s\n", program->see_also);
}
