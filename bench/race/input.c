/* input.c: see input.h. */
#include "bench/race/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/lookalike/model.h"
#include "common/did_you_mean.h"
#include "common/fail.h"

static const char model[] = "model:", shape[] = "shape:", lookalike[] = "lookalike:",
                  values[] = "values:";

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

bool bench_input_is_made(const char *text)
{
    return begins_with(text, model) || begins_with(text, shape) || begins_with(text, lookalike) ||
           begins_with(text, values);
}

/* ---- parts between colons ------------------------------------------------------------------ */

enum { MAX_PART = 64 };

/* Copies the part at *at and moves *at behind its colon, or to NULL behind the last one. False: the
 * part is too long. */
static bool take_part(const char **at, char part[MAX_PART])
{
    const size_t length = strcspn(*at, ":");

    if (length >= MAX_PART)
        return false;
    memcpy(part, *at, length);
    part[length] = '\0';
    *at = (*at)[length] == ':' ? *at + length + 1 : NULL;
    return true;
}

/* Reads 20000, 20k, 2M or 2e6. */
static bool read_number(const char *text, int64_t *out)
{
    static const struct { const char *suffix; double factor; } suffixes[] = {
        { "", 1 }, { "k", 1e3 }, { "M", 1e6 }, { "G", 1e9 }
    };
    char *end;

    if (text[0] < '0' || text[0] > '9' || text[1] == 'x' || text[1] == 'X')
        return false;
    const double number = strtod(text, &end);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const double product = number * suffixes[i].factor;
        if (strcmp(end, suffixes[i].suffix) == 0 && product < 0x1p53 &&
            product == (double)(int64_t)product) {
            *out = (int64_t)product;
            return true;
        }
    }
    return false;
}

/* ---- generators ---------------------------------------------------------------------------- */

/* "model:rmat:LOG2:EDGES" */
static const char *usage_of(const bench_generator *generator, char *buffer, size_t bytes)
{
    size_t used = (size_t)snprintf(buffer, bytes, "%s%s", model, generator->name);

    for (const bench_parameter *p = generator->parameter; p->name && used < bytes; p++)
        used += (size_t)snprintf(buffer + used, bytes - used, ":%s", p->name);
    return buffer;
}

/* The words of a parameter: "uniform, constant, ...". */
static const char *words_of(const bench_parameter *parameter, char *buffer, size_t bytes)
{
    size_t used = 0;

    buffer[0] = '\0';
    for (size_t i = 0; parameter->words[i] && used < bytes; i++)
        used += (size_t)snprintf(buffer + used, bytes - used, "%s%s", i > 0 ? ", " : "",
                                 parameter->words[i]);
    return buffer;
}

static bool read_value(const char *text, const bench_generator *generator, size_t index,
                       const char *part, int64_t *out, spmv_error *error)
{
    const bench_parameter *p = &generator->parameter[index];
    char usage[128], words[128];

    if (p->words) {
        for (size_t i = 0; p->words[i]; i++)
            if (strcmp(part, p->words[i]) == 0) {
                *out = (int64_t)i;
                return true;
            }
        return sg_fail(error, "%s: %s is '%s'; expected one of %s (%s)", text, p->name, part,
                       words_of(p, words, sizeof words), usage_of(generator, usage, sizeof usage));
    }
    return (read_number(part, out) && *out >= p->least && *out <= p->most) ||
           sg_fail(error, "%s: %s is '%s'; expected a whole number from %lld to %lld (%s)", text,
                   p->name, part, (long long)p->least, (long long)p->most,
                   usage_of(generator, usage, sizeof usage));
}

static bool parse_generator(const char *text, const char *rest, bench_input *out, spmv_error *error)
{
    const bench_generator *generator = out->generator;
    char part[MAX_PART], usage[128];

    for (size_t i = 0; generator->parameter[i].name; i++) {
        out->value[i] = generator->parameter[i].typical;
        if (!rest)
            continue;
        if (!take_part(&rest, part))
            return sg_fail(error, "%s: a parameter is too long; expected %s", text,
                           usage_of(generator, usage, sizeof usage));
        if (!read_value(text, generator, i, part, &out->value[i], error))
            return false;
    }
    return !rest || sg_fail(error, "%s: too many parameters, '%s' is left; expected %s", text, rest,
                            usage_of(generator, usage, sizeof usage));
}

/* ---- shapes -------------------------------------------------------------------------------- */

enum { MAX_SUGGESTED = 128 };

static size_t shape_names(const char *names[MAX_SUGGESTED], size_t count)
{
    size_t shapes;

    for (int kind = 0; kind < 2; kind++) {
        const bench_shape *each =
            kind ? bench_adversarial_shapes(&shapes) : bench_model_shapes(&shapes);
        for (size_t i = 0; i < shapes && count < MAX_SUGGESTED; i++)
            names[count++] = each[i].name;
    }
    return count;
}

static bool unknown_shape(const char *name, spmv_error *error)
{
    const char *names[MAX_SUGGESTED];
    const size_t count = shape_names(names, 0);
    char hint[128];

    return sg_fail(error, "no shape is called '%s'%s; --list shows the names", name,
                   sg_did_you_mean(hint, sizeof hint, name, names, count));
}

static bool unknown_model(const char *name, spmv_error *error)
{
    const char *names[MAX_SUGGESTED];
    size_t count;
    const bench_generator *generators = bench_generators(&count);
    char hint[128];

    for (size_t i = 0; i < count; i++)
        names[i] = generators[i].name;
    count = shape_names(names, count);
    return sg_fail(error, "no model is called '%s'%s; --list shows the names", name,
                   sg_did_you_mean(hint, sizeof hint, name, names, count));
}

static bool parse_shape(const char *rest, bench_input *out, spmv_error *error)
{
    const bench_shape *s = out->shape;

    out->size = s->typical;
    if (rest && !read_number(rest, &out->size))
        return sg_fail(error, "%s%s:%s: the size is '%s'; expected a whole number from %lld to %d",
                       shape, s->name, rest, rest, (long long)s->smallest, INT32_MAX);
    if (out->size < s->smallest || out->size > INT32_MAX)
        return sg_fail(error, "%s%s takes --size %lld or more, up to %d, not %lld", shape, s->name,
                       (long long)s->smallest, INT32_MAX, (long long)out->size);
    return true;
}

/* model: and shape: */
static bool parse_made(const char *text, bool may_be_generator, bench_input *out, spmv_error *error)
{
    const char *rest = strchr(text, ':') + 1;
    char name[MAX_PART];

    if (!take_part(&rest, name))
        return sg_fail(error, "%s: the name is too long; --list shows the names", text);
    if (may_be_generator && (out->generator = bench_generator_find(name)))
        return parse_generator(text, rest, out, error);
    out->shape = bench_shape_find(name);
    if (out->shape)
        return parse_shape(rest, out, error);
    return may_be_generator ? unknown_model(name, error)
                            : unknown_shape(name, error);
}

/* ---- look-alikes --------------------------------------------------------------------------- */

static bool find_class(const char *kind, bench_input *out, spmv_error *error)
{
    const char *kinds[MAX_SUGGESTED];
    size_t count;
    const bench_model *models = bench_models(&count);
    const bench_model *found = bench_model_find(kind);
    char hint[128];

    if (found) {
        out->kind = found->kind;
        return true;
    }
    for (size_t i = 0; i < count && i < MAX_SUGGESTED; i++)
        kinds[i] = models[i].kind;
    return sg_fail(error, "beside a file --lookalike takes a class of matrices, not '%s'%s; "
                   "--lookalike list shows them", kind,
                   sg_did_you_mean(hint, sizeof hint, kind, kinds, count));
}

static bool parse_lookalike(const char *text, bench_input *out, spmv_error *error)
{
    const char *name = text + strlen(lookalike), *rest = name;
    char kind[MAX_PART], hint[128];
    bench_input original;

    if (strchr(name, ':')) {
        if (!take_part(&rest, kind))
            return sg_fail(error, "%s: the class is too long; --lookalike list shows them", text);
        if (begins_with(rest, lookalike) && strchr(rest + strlen(lookalike), ':'))
            return sg_fail(error, "%s: a look-alike of a look-alike; name one class", text);
        if (begins_with(rest, values))
            return sg_fail(error, "%s: values come first: %s...:%s...", text, values, lookalike);
        out->original = rest;
        return find_class(kind, out, error) &&
               bench_input_parse(rest, &original, error);
    }
    out->facts = bench_facts_find(name);
    return out->facts ||
           sg_fail(error, "no look-alike is called '%s'%s; --lookalike list shows the names", name,
                   bench_facts_suggest(hint, sizeof hint, name));
}

/* ---- other values -------------------------------------------------------------------------- */

static bool parse_values(const char *text, bench_input *out, spmv_error *error)
{
    static const char usage[] = "values:VALUES:INPUT, where VALUES is f32, random, or how many "
                                "differ";
    const char *rest = text + strlen(values);
    char part[MAX_PART];
    bench_input structure;

    if (!take_part(&rest, part) || !bench_value_set_parse(part, &out->values))
        return sg_fail(error, "%s: the values are '%.*s'; expected f32, random, or a whole number "
                       "from 1 to %d (%s)", text, (int)strcspn(text + strlen(values), ":"),
                       text + strlen(values), BENCH_VALUE_SET_MOST, usage);
    if (!rest || !*rest)
        return sg_fail(error, "%s: the matrix is missing; expected %s", text, usage);
    if (begins_with(rest, values))
        return sg_fail(error, "%s: values twice; name them once (%s)", text, usage);
    out->structure = rest;
    return bench_input_parse(rest, &structure, error);
}

bool bench_input_parse(const char *text, bench_input *out, spmv_error *error)
{
    *out = (bench_input){ .path = NULL };
    if (begins_with(text, lookalike))
        return parse_lookalike(text, out, error);
    if (begins_with(text, values))
        return parse_values(text, out, error);
    if (begins_with(text, model) || begins_with(text, shape))
        return parse_made(text, begins_with(text, model), out, error);
    out->path = text;
    return true;
}

const char *bench_input_file(const char *text)
{
    bench_input input;
    spmv_error error;

    if (!bench_input_parse(text, &input, &error))
        return NULL;
    if (input.original)
        return bench_input_file(input.original);
    if (input.structure)
        return bench_input_file(input.structure);
    return input.path && strcmp(input.path, "-") == 0 ? "/dev/stdin" : input.path;
}

const char *bench_input_text(const bench_input *input, char buffer[BENCH_INPUT_BYTES])
{
    const bench_generator *generator = input->generator;
    size_t count = 0, used;

    if (!generator) {
        snprintf(buffer, BENCH_INPUT_BYTES, "%s%s:%lld", shape, input->shape->name,
                 (long long)input->size);
        return buffer;
    }
    /* A last value of 0 that stands for another number is left out. */
    while (generator->parameter[count].name)
        count++;
    if (count > 0 && generator->parameter[count - 1].typical == 0 && input->value[count - 1] == 0)
        count--;
    used = (size_t)snprintf(buffer, BENCH_INPUT_BYTES, "%s%s", model, generator->name);
    for (size_t i = 0; i < count && used < BENCH_INPUT_BYTES; i++) {
        const bench_parameter *p = &generator->parameter[i];
        used += p->words
                    ? (size_t)snprintf(buffer + used, BENCH_INPUT_BYTES - used, ":%s",
                                       p->words[input->value[i]])
                    : (size_t)snprintf(buffer + used, BENCH_INPUT_BYTES - used, ":%lld",
                                       (long long)input->value[i]);
    }
    return buffer;
}
