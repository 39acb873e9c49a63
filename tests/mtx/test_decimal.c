/* Numbers have the same bits as by strtod in the C locale, in any locale; other words are
 * refused. */
#define _POSIX_C_SOURCE 200809L
#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "bench/matrices/mtx/mtx_decimal.h"

static uint64_t random_state = UINT64_C(0x2545f4914f6cdd1d);

static uint64_t random_next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Reads a word as a number, which must use all of it. */
static mtx_number word_read(const mtx_decimal *decimal, const char *word, double *value)
{
    char line[2048] = { 0 };
    size_t length = strlen(word);
    if (length + 2 + MTX_DECIMAL_PADDING > sizeof line)
        return MTX_NUMBER_NONE;
    memcpy(line, word, length);
    line[length] = '\n';
    const char *cursor = line;
    mtx_number kind = mtx_decimal_read(decimal, &cursor, value);
    if (kind != MTX_NUMBER_NONE && cursor != line + length)
        return MTX_NUMBER_NONE;
    return kind;
}

static bool is_same(double a, double b)
{
    return !memcmp(&a, &b, sizeof a);
}

static bool agrees(const mtx_decimal *decimal, const char *word)
{
    double value = -1, expected = strtod(word, NULL);
    mtx_number kind = word_read(decimal, word, &value);
    bool good = isinf(expected) ? kind == MTX_NUMBER_TOO_LARGE
                                : kind != MTX_NUMBER_NONE && kind != MTX_NUMBER_TOO_LARGE &&
                                      is_same(value, expected);
    if (!good)
        diag("%s: kind %d, value %.17g, strtod %.17g", word, (int)kind, value, expected);
    return good;
}

static double random_double(void)
{
    double value;
    do {
        uint64_t bits = random_next();
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void printed_doubles(const mtx_decimal *decimal)
{
    static const struct {
        bool has_exponent;
        int precision;
    } formats[] = { { false, 17 }, { true, 16 }, { false, 15 }, { true, 13 }, { false, 8 },
                    { true, 3 }, { true, 19 }, { true, 20 }, { true, 25 }, { true, 40 } };
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        int bad = 0;
        for (int i = 0; i < 40000 && bad < 5; i++) {
            char word[400];
            double value = random_double();
            if (i % 2)
                value = ldexp((double)(int64_t)random_next(), -(int)(random_next() % 90));
            if (formats[f].has_exponent)
                snprintf(word, sizeof word, "%.*e", formats[f].precision, value);
            else
                snprintf(word, sizeof word, "%.*g", formats[f].precision, value);
            bad += !agrees(decimal, word);
        }
        ok(bad == 0, "random doubles printed as %%.%d%c read as strtod reads them",
           formats[f].precision, formats[f].has_exponent ? 'e' : 'g');
    }
}

static void random_digits(char *word, int digits)
{
    for (int i = 0; i < digits; i++)
        *word++ = (char)('0' + random_next() % 10);
    *word = '\0';
}

static void digit_strings(const mtx_decimal *decimal)
{
    int bad = 0;
    for (int i = 0; i < 300000 && bad < 5; i++) {
        char whole[64], fraction[64], word[256];
        random_digits(whole, (int)(random_next() % 24));
        random_digits(fraction, (int)(random_next() % 24) + (*whole == '\0'));
        int used = snprintf(word, sizeof word, "%s%s%s%s", i % 3 ? "" : "-", whole,
                            *fraction || i % 5 ? "." : "", fraction);
        if (i % 4)
            snprintf(word + used, sizeof word - (size_t)used, "%c%s%d", i % 8 ? 'e' : 'E',
                     i % 16 ? "" : "+", i % 16 ? (int)(random_next() % 720) - 370
                                               : (int)(random_next() % 300));
        bad += !agrees(decimal, word);
    }
    ok(bad == 0, "random digits, points and exponents read as strtod reads them");
}

/* Writes the exact decimal expansion of the midpoint of two doubles, and of its neighbours. */
static void midpoints(const mtx_decimal *decimal)
{
    int bad = 0;
    if (LDBL_MANT_DIG < 54) {
        skip("no type here holds the midpoint of two doubles");
        return;
    }
    for (int i = 0; i < 20000 && bad < 5; i++) {
        char word[1200], exponent[16] = "";
        uint64_t odd = (random_next() >> 11) * 2 + 1;            /* 54 bits */
        int scale = (int)(random_next() % 200) - 100;
        long double middle = ldexpl((long double)odd, scale);
        int used = snprintf(word, sizeof word, "%.*Lf", scale < 0 ? -scale : 1, middle);
        bad += !agrees(decimal, word);
        word[used] = '1';
        word[used + 1] = '\0';
        bad += !agrees(decimal, word);
        for (int at = used; at >= 0; at--) {                     /* one unit below */
            if (word[at] >= '1' && word[at] <= '9') {
                word[at]--;
                break;
            }
            if (word[at] == '0')
                word[at] = '9';
        }
        snprintf(exponent, sizeof exponent, "e%d", (int)(random_next() % 3) - 1);
        strcat(word, exponent);
        bad += !agrees(decimal, word);
    }
    ok(bad == 0, "midpoints of two doubles and their neighbours are rounded right");
}

static void hard_cases(const mtx_decimal *decimal)
{
    static const char *const words[] = {
        "0", "-0", "0.0", "-0.0e5", "0e99999999999999999999", "0000000000000000000000000", "1.",
        ".5",
        "+3", "+.5e+3", "00000000000000000000001", "9007199254740992", "9007199254740993",
        "9007199254740994", "9007199254740995", "9007199254740993.0", "9007199254740993.00000001",
        "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "99999999999999999999", "1e22", "1e23", "1e-22", "1e-23",
        "8.5e22", "123456789012345678901234567890", "1.7976931348623157e308",
        "1.7976931348623158e308", "1.7976931348623159e308", "1e308", "1e309", "1e310", "2e308",
        "1e400", "1e99999999999", "123e-99999999999", "2.2250738585072014e-308",
        "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072009e-308",
        "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
        "5e-324", "1e-323", "1e-324", "1e-400", "6.631236846766476e-316",
        "3.518437208883201171875E13", "1090544144181609348671888949248",
        "7.2057594037927933e16", "6929495644600919.5", "3.7455744005952583e15",
        "1.2345678901234567e-28",
        "2.98023223876953125e-8", "1448997445238699", "358416272e-33", "89255e-22", "0.1", "0.3",
        "5708990770823839207320493820740630171355185152001e-3", "0.000000000000000000000000000001",
        "6.02214076e23", "17.419696000000002", "1.00000000000000000000000000000000000000000001",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "1.00000000000000033306690738754696212708950042724609375",
        "9214843084008499", "0.500000000000000166533453693773481063544750213623046875",
        "30078505129381147446200", "1777820000000000000001",
        "0.500000000000000166547006220929549868969843373633921146392822265625",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        ok(agrees(decimal, words[i]), "%s reads as strtod reads it", words[i]);

    char word[1600];
    memset(word, '0', sizeof word);
    memcpy(word, "0.", 2);
    snprintf(word + 1000, sizeof word - 1000, "%s", "123456789e1000");
    ok(agrees(decimal, word), "a thousand zeros and an exponent of a thousand cancel");
    memset(word, '9', 309);
    word[309] = '\0';
    ok(agrees(decimal, word), "309 nines are too large");
    memset(word, '1', 308);
    word[308] = '\0';
    ok(agrees(decimal, word), "308 ones are not");
}

static void kinds(const mtx_decimal *decimal)
{
    static const struct {
        const char *word;
        mtx_number kind;
    } cases[] = {
        { "12", MTX_NUMBER_INTEGER }, { "-7", MTX_NUMBER_INTEGER },
        { "18446744073709551616", MTX_NUMBER_INTEGER }, { "1.0", MTX_NUMBER_REAL },
        { "1e3", MTX_NUMBER_REAL }, { "2.", MTX_NUMBER_REAL }, { "inf", MTX_NUMBER_SPECIAL },
        { "-Inf", MTX_NUMBER_SPECIAL }, { "+INFINITY", MTX_NUMBER_SPECIAL },
        { "nan", MTX_NUMBER_SPECIAL }, { "-NaN", MTX_NUMBER_SPECIAL },
        { "1e400", MTX_NUMBER_TOO_LARGE }, { "", MTX_NUMBER_NONE }, { ".", MTX_NUMBER_NONE },
        { "-", MTX_NUMBER_NONE }, { "+", MTX_NUMBER_NONE }, { "e5", MTX_NUMBER_NONE },
        { ".e5", MTX_NUMBER_NONE }, { "1e", MTX_NUMBER_NONE }, { "1e+", MTX_NUMBER_NONE },
        { "1e5.5", MTX_NUMBER_NONE }, { "1..2", MTX_NUMBER_NONE }, { "1.2.3", MTX_NUMBER_NONE },
        { "--1", MTX_NUMBER_NONE }, { "+-1", MTX_NUMBER_NONE }, { "0x10", MTX_NUMBER_NONE },
        { "1,5", MTX_NUMBER_NONE }, { "1d5", MTX_NUMBER_NONE }, { "1f", MTX_NUMBER_NONE },
        { "infinit", MTX_NUMBER_NONE }, { "infinityx", MTX_NUMBER_NONE },
        { "nan(1)", MTX_NUMBER_NONE }, { "nans", MTX_NUMBER_NONE }, 
        { "12345678x", MTX_NUMBER_NONE },
        { "1234567/", MTX_NUMBER_NONE }, { "1234567:", MTX_NUMBER_NONE },
        { "1234567\xb0", MTX_NUMBER_NONE }, { "pi", MTX_NUMBER_NONE },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 42;
        mtx_number kind = word_read(decimal, cases[i].word, &value);
        bool kept = cases[i].kind != MTX_NUMBER_NONE || is_same(value, 42);
        ok(kind == cases[i].kind && kept, "case %zu of kinds is recognised", i);
    }
    double value = 0;
    word_read(decimal, "-infinity", &value);
    ok(isinf(value) && value < 0, "-infinity keeps its sign");
    word_read(decimal, "nan", &value);
    ok(isnan(value), "nan is not a number");
}

static void comma_locale(const mtx_decimal *decimal)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
                                         "fr_FR.utf8", "nl_NL.UTF-8", "es_ES.UTF-8",
                                         "it_IT.UTF-8" };
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++)
        found = setlocale(LC_ALL, names[i]) && *localeconv()->decimal_point == ',';
    if (!found) {
        setlocale(LC_ALL, "C");
        skip("no locale with a decimal comma is installed");
        return;
    }
    /* The second is the midpoint of two doubles, so strtod decides. */
    double a = 0, b = 0;
    bool good = word_read(decimal, "1.5", &a) == MTX_NUMBER_REAL &&
                word_read(decimal, "9007199254740993.0", &b) == MTX_NUMBER_REAL;
    setlocale(LC_ALL, "C");
    ok(good && is_same(a, 1.5) && is_same(b, 9007199254740992.0),
       "numbers keep their point in a locale with a decimal comma");
}

int main(void)
{
    mtx_memory memory;
    mtx_memory_init(&memory, 0);
    mtx_decimal *decimal = mtx_decimal_create(&memory);
    if (!decimal)
        return 1;
    printed_doubles(decimal);
    digit_strings(decimal);
    midpoints(decimal);
    hard_cases(decimal);
    kinds(decimal);
    comma_locale(decimal);
    mtx_decimal_destroy(&memory, decimal);
    ok(memory.used == 0, "nothing is left allocated");
    return tap_done();
}
