/* test_options.c: command lines against a table with an option of each kind. */
#include <string.h>

#include "common/fail.h"
#include "common/options.h"
#include "tests/tap.h"

typedef struct options {
    const char *words[4];
    size_t word_count;
    const char *operand;
    bool behind_dashes;
    const char *text, *type;
    int64_t integer;
    double real;
    bool flag, help;
} options;

static void add(void *out, void *list, const char *value)
{
    options *o = out;

    if (list == o->words)
        o->words[o->word_count++] = value;
}

static bool take_operand(void *out, const char *word, bool ended, spmv_error *error)
{
    options *o = out;

    if (o->operand)
        return sg_fail(error, "two operands");
    o->operand = word;
    o->behind_dashes = ended;
    return true;
}

#define FIELD(name) offsetof(options, name)

static const char *const types[] = { "f32", "f64", NULL };

static const sg_option entries[] = {
    { .name = "text", .letter = 't', .value = "TEXT", .kind = SG_OPTION_TEXT,
      .offset = FIELD(text), .help = "any text" },
    { .name = "type", .value = "NAME", .kind = SG_OPTION_TEXT, .offset = FIELD(type),
      .choices = types, .help = "one of two" },
    { .name = "integer", .value = "N", .kind = SG_OPTION_INTEGER, .min = -1, .max = 9,
      .offset = FIELD(integer), .help = "a number" },
    { .name = "real", .value = "R", .kind = SG_OPTION_REAL, .offset = FIELD(real),
      .help = "another" },
    { .name = "word", .letter = 'w', .value = "A-LONG-NAME", .kind = SG_OPTION_LIST, .max = 3,
      .add = add, .offset = FIELD(words), .help = "may repeat,\nthrice" },
    { .name = "flag", .letter = 'f', .kind = SG_OPTION_FLAG, .offset = FIELD(flag), .help = "on" },
    { .name = "mode", .kind = SG_OPTION_NONE, .help = "is counted" },
    { .name = "help", .kind = SG_OPTION_FLAG, .offset = FIELD(help), .stops = true,
      .help = "stop" },
};

enum { COUNT = sizeof entries / sizeof entries[0], MAX_WORDS = 20 };

static const sg_option_table table = {
    .options = entries, .count = COUNT, .help_column = 20, .operand = take_operand,
};

/* Parses the words of `line`, which one space separates; a word "''" is the empty one. */
static bool parse(const sg_option_table *by, const char *line, options *out, unsigned *uses,
                  spmv_error *error)
{
    static char copy[256], program[] = "program";
    char *argv[MAX_WORDS] = { program };
    int argc = 1;

    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word && argc < MAX_WORDS; word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, "''") ? word : word + 2;
    *out = (options){ .integer = 5 };
    error->text[0] = '\0';
    return sg_option_table_parse(by, argc, argv, out, uses, error);
}

static void test_values(void)
{
    options o;
    unsigned uses[COUNT];
    spmv_error error;

    ok(parse(&table, "--text a --type=f32 --integer -1 --real 1e3 -wb --word c -f --mode --mode",
             &o, uses, &error), "a value of each kind is taken");
    ok(!strcmp(o.text, "a") && !strcmp(o.type, "f32") && o.integer == -1 && o.real == 1000 &&
       o.flag && o.word_count == 2 && !strcmp(o.words[0], "b") && !strcmp(o.words[1], "c"),
       "and stands in its field");
    ok(uses[0] == 1 && uses[4] == 2 && uses[6] == 2 && uses[7] == 0, "uses are counted");
    ok(parse(&table, "--text=a=b", &o, NULL, &error) && !strcmp(o.text, "a=b") &&
       o.integer == 5, "a value may have an equals sign; what was not given stays");
    ok(parse(&table, "--text --flag", &o, NULL, &error) &&
       !strcmp(o.text, "--flag") && !o.flag, "the word behind an option is its value");
    ok(parse(&table, "- --flag", &o, NULL, &error) && !strcmp(o.operand, "-") &&
       !o.behind_dashes && o.flag, "a dash alone is an operand");
    ok(parse(&table, "-- --flag", &o, NULL, &error) && o.behind_dashes &&
       !strcmp(o.operand, "--flag") && !o.flag, "behind -- all words are operands");
    ok(parse(&table, "--help --nonsense", &o, NULL, &error) && o.help,
       "nothing is read behind an option that stops");

    sg_option_table last = table;
    last.last_wins = true;
    ok(parse(&last, "--text a --text b", &o, NULL, &error) &&
       !strcmp(o.text, "b"), "the last value wins where the table says so");
}

static void test_errors(void)
{
    static const struct {
        const char *line, *message;
    } cases[] = {
        { "--tetx=1", "unknown option '--tetx'; did you mean '--text'?" },
        { "-x", "unknown option '-x'" },
        { "-flog", "--flag takes no value, but 'log' was given" },
        { "--flag=1", "--flag takes no value, but '1' was given" },
        { "--text", "--text needs a value: --text TEXT" },
        { "--text=", "--text needs a value: --text TEXT" },
        { "--text ''", "--text needs a value: --text TEXT" },
        { "--text a -t b", "--text is given twice" },
        { "--type f16", "--type takes f32|f64, not 'f16'" },
        { "--type f322", "--type takes f32|f64, not 'f322'; did you mean 'f32'?" },
        { "--integer 10", "--integer takes a whole number from -1 to 9, not '10'" },
        { "--integer +1", "--integer takes a whole number from -1 to 9, not '+1'" },
        { "--integer 99999999999999999999",
          "--integer takes a whole number from -1 to 9, not '99999999999999999999'" },
        { "--real nan", "--real takes a finite number, not 'nan'" },
        { "--real 1x", "--real takes a finite number, not '1x'" },
        { "-w 1 -w 2 -w 3 -w 4", "--word is given more than 3 times" },
        { "a b", "two operands" },
    };
    options o;
    spmv_error error;
    char word[3 * sizeof error.text];
    char *const long_word[] = { "program", word };
    sg_option_table no_operands = table;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (!ok(!parse(&table, cases[i].line, &o, NULL, &error) &&
                !strcmp(error.text, cases[i].message), "%s: %s", cases[i].line, cases[i].message))
            diag("said: %s", error.text);
    no_operands.operand = NULL;
    ok(!parse(&no_operands, "flog", &o, NULL, &error) &&
       !strcmp(error.text, "unknown option 'flog'; did you mean '--flag'?"),
       "a word that is no option is refused where a program takes none");
    ok(!parse(&no_operands, "-- --flag", &o, NULL, &error) &&
       !strncmp(error.text, "unknown option '--flag'", 23), "also behind --");
    memset(word, '-', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    ok(!sg_option_table_parse(&table, 2, long_word, &o, NULL, &error) &&
       strlen(error.text) == sizeof error.text - 1, "a message that does not fit is cut");
}

static void test_help(void)
{
    static const char expected[] =
        "  -t, --text TEXT   any text\n"
        "      --type NAME   one of two\n"
        "      --integer N   a number\n"
        "      --real R      another\n"
        "  -w, --word A-LONG-NAME\n"
        "                    may repeat,\n"
        "                    thrice\n"
        "  -f, --flag        on\n"
        "      --mode        is counted\n"
        "      --help        stop\n";
    static const char without_letters[] = "  --mode      is counted\n"
                                          "  --help      stop\n";
    const sg_option_table last_two = { .options = entries + 6, .count = 2, .help_column = 14 };
    const struct {
        const sg_option_table *table;
        const char *text, *name;
    } cases[] = {
        { &table, expected, "with a column of letters" },
        { &last_two, without_letters, "without one" },
    };

    for (size_t i = 0; i < 2; i++) {
        char text[1024] = "";
        FILE *file = tmpfile();
        if (!file) {
            skip("no temporary file can be made");
            continue;
        }
        sg_option_table_help(cases[i].table, file);
        rewind(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        if (!ok(!strcmp(text, cases[i].text), "the help lists the options, %s", cases[i].name))
            diag("printed:\n%s", text);
    }
}

int main(void)
{
    test_values();
    test_errors();
    test_help();
    return tap_done();
}
