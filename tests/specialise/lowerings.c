/* lowerings.c: the hand-made lowerings; each list is sorted by name. */
#include "lowerings.h"

#include <string.h>

/* Errors in an entry have the place "lowering:WORD": lines of this file would change goldens. */
#define TEXT(name, text) {name, SG_WORD_TEXT, text, NULL, false, {"lowering:" name, 0, 0}}
#define HELPER(name, text, needs)                                                                  \
    {name, SG_WORD_HELPER, text, needs, false, {"lowering:" name, 0, 0}}
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const no_arguments[] = { "-std=c11", NULL };

/* Also has words of the project's templates/prelude, since csr_scalar is specialised with them. */
static const sg_word plain_words[] = {
    TEXT("DEVICE", "static inline"),
    TEXT("KERNEL", "static"),
    TEXT("LOCAL", ""),
    TEXT("RESTRICT", "restrict"),
    TEXT("f32", "float"),
    TEXT("f64", "double"),
    TEXT("i32", "int32_t"),
    TEXT("i64", "int64_t"),
    TEXT("u32", "uint32_t"),
    TEXT("u64", "uint64_t"),
    TEXT("u8", "uint8_t"),
    TEXT("uptr", "uintptr_t"),
    TEXT("usize", "size_t"),
};

static const char *const sum_needs[] = { "pack", "larger", NULL };

static const sg_word vector_words[] = {
    TEXT("DEVICE", "static inline"),
    TEXT("KERNEL", "__attribute__((used)) static"),
    TEXT("LOCAL", "/* local */"),
    TEXT("RESTRICT", ""),
    TEXT("f32", "float"),
    TEXT("f64", "double"),
    TEXT("i32", "int"),
    TEXT("i64", "long long"),
    TEXT("multiply_add", "$1 * $2 + $3"),
    HELPER("pack", "/* $WIDTH samples. */\ntypedef struct pack { double lane[$WIDTH]; } pack;",
           NULL),
    HELPER("pack_sum",
           "static double pack_sum(pack p)\n{\n    return $sum_of(p.lane[0], "
           "p.lane[larger($WIDTH - 1, 0)]);\n}\n",
           sum_needs),
    TEXT("sum_of", "$1 + $2"),
    TEXT("u32", "unsigned"),
    TEXT("u64", "unsigned long long"),
    TEXT("u8", "unsigned char"),
    TEXT("usize", "size_t"),
    TEXT("wait_for_all", ""),
    TEXT("wide_product", "wide(($1) * $2, $1)"),
};

static const sg_word strict_words[] = {
    TEXT("DEVICE", "static inline"),
    TEXT("f32", "float"),
    TEXT("f64", "double"),
    TEXT("i32", "int"),
    TEXT("pack", "vector"),
};

static const sg_word texts_words[] = {
    TEXT("DEVICE", "static inline"),
    TEXT("f64", "double"),
    TEXT("i32", "int"),
    TEXT("pack", "vector_type"),
};

static const char *const missing_needs[] = { "nowhere", NULL };

static const sg_word broken_words[] = {
    TEXT("DEVICE", "static inline"),
    TEXT("f64", "double"),
    TEXT("i32", "int"),
    TEXT("larger", "max($1, $3)"),
    TEXT("multiply_add", "$1 * $SPEED + $3"),
    HELPER("pack_of", "static void pack_of(void);", missing_needs),
    TEXT("wide_product", "$1 * $1"),
};

#define LOWERING(its_name, its_words, bodies)                                                      \
    {                                                                                              \
        .dialect = its_name, .isa = "", .form = "simd", .extension = "c", .parse_language = "c",   \
        .parse_args = no_arguments, .parse_prefix = "", .preamble = "", .postamble = "",           \
        .usable = "",                                                                              \
        .words = its_words, .word_count = COUNT(its_words), .prelude_bodies = bodies               \
    }

static const sg_lowering lowerings[] = {
    LOWERING("plain", plain_words, true),
    LOWERING("vector", vector_words, true),
    LOWERING("strict", strict_words, false),
    LOWERING("texts", texts_words, true),
    LOWERING("broken", broken_words, true),
};

const sg_lowering *test_lowering(const char *name)
{
    for (size_t i = 0; i < COUNT(lowerings); i++)
        if (!strcmp(lowerings[i].dialect, name))
            return &lowerings[i];
    return NULL;
}
