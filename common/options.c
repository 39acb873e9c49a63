/* options.c: see options.h. */
#include "common/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/did_you_mean.h"
#include "common/fail.h"

typedef struct parser {
    const sg_option_table *table;
    int argc, next;
    char *const *argv;
    void *options;
    unsigned uses[SG_OPTION_MAX];
    spmv_error *error;
} parser;

/* ---- values -------------------------------------------------------------------------------- */

static bool store_integer(parser *p, const sg_option *option, const char *value, int64_t *field)
{
    const bool starts = (value[0] >= '0' && value[0] <= '9') || value[0] == '-';
    char *end;

    errno = 0;
    const long long number = strtoll(value, &end, 10);
    if (!starts || *end || end == value || errno || number < option->min || number > option->max)
        return sg_fail(p->error, "--%s takes a whole number from %lld to %lld, not '%s'",
                       option->name, (long long)option->min, (long long)option->max, value);
    *field = number;
    return true;
}

static bool store_real(parser *p, const sg_option *option, const char *value, double *field)
{
    char *end;
    const double number = strtod(value, &end);

    if (*end || end == value || !isfinite(number))
        return sg_fail(p->error, "--%s takes a finite number, not '%s'", option->name, value);
    *field = number;
    return true;
}

static bool check_choice(parser *p, const sg_option *option, const char *value)
{
    char all[128] = "", hint[64];
    size_t count = 0, used = 0;

    for (; option->choices && option->choices[count]; count++) {
        if (!strcmp(option->choices[count], value))
            return true;
        if (used < sizeof all)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", count ? "|" : "",
                                     option->choices[count]);
    }
    return !option->choices ||
           sg_fail(p->error, "--%s takes %s, not '%s'%s", option->name, all, value,
                   sg_did_you_mean(hint, sizeof hint, value, option->choices, count));
}

static bool store(parser *p, const sg_option *option, const char *value)
{
    void *field = (char *)p->options + option->offset;

    switch (option->kind) {
    case SG_OPTION_NONE:
        return true;
    case SG_OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case SG_OPTION_TEXT:
        *(const char **)field = value;
        return true;
    case SG_OPTION_INTEGER:
        return store_integer(p, option, value, field);
    case SG_OPTION_REAL:
        return store_real(p, option, value, field);
    case SG_OPTION_LIST:
        option->add(p->options, field, value);
        return true;
    }
    return false;
}

/* ---- words --------------------------------------------------------------------------------- */

static bool check_uses(parser *p, const sg_option *option, unsigned uses)
{
    if (option->kind == SG_OPTION_LIST)
        return !option->max || uses < option->max ||
               sg_fail(p->error, "--%s is given more than %lld times", option->name,
                       (long long)option->max);
    return !option->value || p->table->last_wins || !uses ||
           sg_fail(p->error, "--%s is given twice", option->name);
}

/* attached: the value in the same word (`--output=DIR`, `-oDIR`), or NULL. */
static bool take(parser *p, const sg_option *option, const char *attached)
{
    unsigned *uses = &p->uses[option - p->table->options];
    const char *value = attached;

    if (!option->value && attached)
        return sg_fail(p->error, "--%s takes no value, but '%s' was given", option->name, attached);
    if (option->value && !value)
        value = p->next < p->argc ? p->argv[p->next++] : NULL;
    if (option->value && (!value || !*value))
        return sg_fail(p->error, "--%s needs a value: --%s %s", option->name, option->name,
                       option->value);
    if (!check_uses(p, option, *uses) ||
        (value && !check_choice(p, option, value)) || !store(p, option, value))
        return false;
    ++*uses;
    return true;
}

static const sg_option *find_name(const sg_option_table *table, const char *name, size_t length)
{
    for (size_t i = 0; i < table->count; i++)
        if (strlen(table->options[i].name) == length &&
            !memcmp(table->options[i].name, name, length))
            return &table->options[i];
    return NULL;
}

static const sg_option *find_letter(const sg_option_table *table, char letter)
{
    for (size_t i = 0; i < table->count; i++)
        if (letter && table->options[i].letter == letter)
            return &table->options[i];
    return NULL;
}

static bool refuse(parser *p, const char *word)
{
    const char *names[SG_OPTION_MAX];
    char hint[96];

    for (size_t i = 0; i < p->table->count; i++)
        names[i] = p->table->options[i].name;
    return sg_fail(p->error, "unknown option '%.*s'%s", (int)strcspn(word, "="), word,
                   sg_did_you_mean_option(hint, sizeof hint, word, names, p->table->count));
}

/* Parses `word`, an option or an operand; *option is NULL for an operand. */
static bool parse_word(parser *p, const char *word, bool ended, const sg_option **option)
{
    const char *attached = NULL;

    *option = NULL;
    if ((ended || word[0] != '-' || !word[1]) && p->table->operand)
        return p->table->operand(p->options, word, ended, p->error);
    if (!ended && word[0] == '-' && word[1] == '-') {
        const size_t length = strcspn(word + 2, "=");
        *option = find_name(p->table, word + 2, length);
        attached = word[2 + length] ? word + 2 + length + 1 : NULL;
    } else if (!ended && word[0] == '-') {
        *option = find_letter(p->table, word[1]);
        attached = *option && word[2] ? word + 2 : NULL;
    }
    return *option ? take(p, *option, attached) : refuse(p, word);
}

bool sg_option_table_parse(const sg_option_table *table, int argc, char *const *argv,
                           void *options, unsigned *uses, spmv_error *error)
{
    parser p = { .table = table, .argc = argc, .next = 1, .argv = argv, .options = options,
                 .error = error };
    const sg_option *option = NULL;
    bool ended = false;

    while (p.next < argc && !(option && option->stops)) {
        const char *word = argv[p.next++];
        if (!ended && !strcmp(word, "--"))
            ended = true;
        else if (!parse_word(&p, word, ended, &option))
            return false;
    }
    if (uses)
        memcpy(uses, p.uses, table->count * sizeof *uses);
    return true;
}

/* ---- help ---------------------------------------------------------------------------------- */

static void print_option(const sg_option_table *table, const sg_option *option, bool letters,
                         FILE *out)
{
    char left[64], letter[] = "    ";
    const char *line = option->help;

    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    const int used = snprintf(left, sizeof left, "  %s--%s%s%s", letters ? letter : "",
                              option->name, option->value ? " " : "",
                              option->value ? option->value : "");
    bool beside = used <= table->help_column - 2;

    if (!beside)
        fprintf(out, "%s\n", left);
    while (*line) {
        const size_t length = strcspn(line, "\n");
        fprintf(out, "%-*s%.*s\n", table->help_column, beside ? left : "", (int)length, line);
        line += length + (line[length] == '\n');
        beside = false;
    }
}

void sg_option_table_help(const sg_option_table *table, FILE *out)
{
    bool letters = false;

    for (size_t i = 0; i < table->count; i++)
        letters = letters || table->options[i].letter;
    for (size_t i = 0; i < table->count; i++) {
        if (table->options[i].section)
            fprintf(out, "\n%s:\n", table->options[i].section);
        print_option(table, &table->options[i], letters, out);
    }
}
