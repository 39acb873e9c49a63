/* target_load.c: finds the page of a name, and makes a target of the facts of its chain. */
#include "generator/page/target_load.h"

#include <string.h>

#include "generator/words/dialect.h"
#include "generator/page/facts.h"
#include "generator/page/override.h"
#include "generator/page/page.h"
#include "generator/page/suggest.h"
#include "generator/base/data_files.h"
#include "generator/base/text.h"

/* The facts that the generator itself reads; facts.lua must declare them. */
#define FACT_ABSTRACT "abstract"
#define FACT_BACKEND "backend"
#define FACT_CANDIDATE "host_candidate"
#define FACT_CPU_FLAGS "cpu_flags"
#define FACT_ISA "isa"
#define FACT_RANK "rank"

/* ---- from a chain to a target ---------------------------------------------------------------- */

static const char *c_name_of(sg_arena *arena, const char *name)
{
    char *c_name = sg_arena_strdup(arena, name);

    for (char *c = c_name; *c; c++)
        if (*c == '-' || *c == '.')
            *c = '_';
    return c_name;
}

/* Sorts assignments: first the command line's, then the page's own, then its ancestors'; those of a
 * page in the order of its lines. */
static const sg_assignment *sort_assignments(sg_chain *chain)
{
    sg_assignment *sorted =
        sg_arena_alloc(chain->arena, (chain->assignment_count + 1) * sizeof *sorted);
    size_t used = 0;

    for (int depth = SG_COMMAND_LINE_DEPTH; depth < SG_PAGE_DEPTH; depth++)
        for (size_t i = 0; i < chain->assignment_count; i++)
            if (chain->assignments[i].depth == depth)
                sorted[used++] = chain->assignments[i];
    return sorted;
}

static const sg_target *target_of(sg_chain *chain, const char *name, sg_name_set overrides)
{
    sg_arena *arena = chain->arena;
    const sg_facts *facts = chain->facts;
    sg_target *target = sg_arena_alloc(arena, sizeof *target);
    sg_input *pages = sg_arena_alloc(arena, chain->page_count * sizeof *pages);
    sg_fact *values = sg_arena_alloc(arena, (facts->count + 1) * sizeof *values);

    memcpy(pages, chain->pages, chain->page_count * sizeof *pages);
    for (size_t i = 0; i < facts->count; i++) {
        const sg_fact_state *state = &chain->states[i];
        const sg_fact_decl *decl = &facts->decls[i];
        if (state->is_set)
            values[target->fact_count++] = (sg_fact){ decl, state->value, state->origin, true };
        else if (decl->has_default)
            values[target->fact_count++] = (sg_fact){ decl, decl->default_value, decl->loc, false };
    }
    target->name = name;
    target->c_name = c_name_of(arena, name);
    target->pages = pages;
    target->page_count = chain->page_count;
    target->facts = values;
    target->form = sg_dialect_form(arena, chain->root, sg_target_string(target, FACT_BACKEND));
    target->decls = facts->decls;
    target->decl_count = facts->count;
    target->assignments = sort_assignments(chain);
    target->assignment_count = chain->assignment_count;
    target->overrides = overrides;
    return target;
}

static const sg_name_set no_overrides;

static const sg_target *load_page(sg_arena *arena, sg_diags *diags, const char *root,
                                  const sg_facts *facts, const char *path, const char *shown,
                                  const char *name, const sg_name_set *overrides)
{
    sg_chain chain = { .arena = arena, .diags = diags, .root = root, .facts = facts };
    sg_name_set canonical;

    if (!sg_chain_load(&chain, path, shown) || !sg_override_chain(&chain, overrides, &canonical))
        return NULL;
    return target_of(&chain, name, canonical);
}

static const sg_target *load_named(sg_arena *arena, sg_diags *diags, const char *root,
                                   const sg_facts *facts, const char *name,
                                   const sg_name_set *overrides)
{
    const char *shown = sg_arena_printf(arena, "targets/%s.lua", name);
    return load_page(arena, diags, root, facts, sg_path_join(arena, root, shown), shown, name,
                     overrides);
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *const *page_names(sg_arena *arena, const char *root, size_t *count)
{
    return sg_data_file_names(arena, sg_path_join(arena, root, "targets"), count);
}

/* True if the page stands for a device; an abstract page is only inherited. */
static bool stands_for_device(sg_diags *diags, const sg_target *target)
{
    const sg_fact *abstract = sg_target_fact(target, FACT_ABSTRACT);
    const sg_loc page = { target->pages[0].file, 0, 0 };

    if (abstract && abstract->value.integer) {
        sg_diag(diags, SG_ERROR, abstract->origin,
                "'%s' stands for no device: pages inherit it; choose one of those", target->name);
        return false;
    }
    if (!sg_target_fact(target, FACT_BACKEND)) {
        sg_diag(diags, SG_ERROR, page,
                "this page does not say which language its device takes; add " FACT_BACKEND
                " = \"NAME\", a file of targets/dialects/");
        return false;
    }
    return true;
}

static const sg_target *load_file(sg_arena *arena, sg_diags *diags, const char *root,
                                  const sg_facts *facts, const char *file,
                                  const sg_name_set *overrides)
{
    const char *base = sg_path_base(file);
    const char *name = sg_arena_strndup(arena, base, strlen(base) - 4);

    if (!sg_is_data_file_name(name)) {
        sg_diag(diags, SG_ERROR, (sg_loc){ file, 0, 0 },
                "a page's file name consists of letters, digits, '-', '_' and '.', and ends in "
                ".lua, since emitted files and functions are named after it");
        return NULL;
    }
    return load_page(arena, diags, root, facts, file, file, name, overrides);
}

static void report_unknown(sg_arena *arena, sg_diags *diags, const char *root,
                           const sg_facts *facts, const char *name)
{
    const char *file = sg_arena_printf(arena, "%s.lua", name);
    const char *hint = sg_suggest_page(arena, root, facts, name);

    if (sg_is_file(file))
        sg_diag(diags, SG_ERROR, (sg_loc){ NULL, 0, 0 },
                "unknown target '%s'; the page in the file %s is given as --target %s", name, file,
                file);
    else
        sg_diag(diags, SG_ERROR, (sg_loc){ NULL, 0, 0 }, "unknown target '%s'%s", name,
                *hint ? hint : "; spmvgen --list-targets shows the names, and a page of your own "
                               "is given as FILE.lua");
}

const sg_target *sg_target_load(sg_arena *arena, sg_diags *diags, const char *root,
                                const char *name_or_file)
{
    return sg_target_load_with(arena, diags, root, name_or_file, &no_overrides);
}

const sg_target *sg_target_load_with(sg_arena *arena, sg_diags *diags, const char *root,
                                     const char *name_or_file, const sg_name_set *overrides)
{
    const sg_target *target;
    sg_facts facts;
    size_t count = 0;

    if (!strcmp(name_or_file, "host")) {
        target = sg_target_load_host(arena, diags, root, "/proc/cpuinfo");
        if (!target || !overrides->count)
            return target;
        name_or_file = target->name;
    }
    if (!sg_facts_load(arena, diags, root, &facts))
        return NULL;
    if (sg_ends_with(name_or_file, ".lua")) {
        target = load_file(arena, diags, root, &facts, name_or_file, overrides);
    } else {
        const char *const *names = page_names(arena, root, &count);
        if (!sg_name_set_has(&(sg_name_set){ names, count }, name_or_file)) {
            report_unknown(arena, diags, root, &facts, name_or_file);
            return NULL;
        }
        target = load_named(arena, diags, root, &facts, name_or_file, overrides);
    }
    return target && stands_for_device(diags, target) ? target : NULL;
}

const char *const *sg_target_list(sg_arena *arena, sg_diags *diags, const char *root,
                                  size_t *count)
{
    size_t name_count = 0, used = 0;
    const char *const *names = page_names(arena, root, &name_count);
    const char **devices = sg_arena_alloc(arena, (name_count + 1) * sizeof *devices);
    sg_facts facts;

    *count = 0;
    if (!sg_facts_load(arena, diags, root, &facts))
        return NULL;
    for (size_t i = 0; i < name_count; i++) {
        const sg_target *target = load_named(arena, diags, root, &facts, names[i],
                                             &no_overrides);
        if (target && !sg_target_integer(target, FACT_ABSTRACT))
            devices[used++] = names[i];
    }
    *count = used;
    return devices;
}

/* ---- host ------------------------------------------------------------------------------------ */

/* The flags of the first CPU: the line "flags" (x86) or "Features" (Arm) behind its colon, each
 * word between spaces. "" if the file cannot be read. */
static const char *read_cpu_words(sg_arena *arena, const char *cpuinfo)
{
    static const char *const labels[] = { "flags", "Features" };
    const char *text = "";
    size_t size = 0;

    if (sg_read_file(arena, cpuinfo, 64 << 20, &text, &size))
        return "";
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const size_t length = strcspn(line, "\n");
        const char *colon = memchr(line, ':', length);
        for (size_t i = 0; colon && i < sizeof labels / sizeof labels[0]; i++) {
            const size_t label = strlen(labels[i]);
            if (!strncmp(line, labels[i], label) && strspn(line + label, " \t") ==
                                                        (size_t)(colon - line) - label)
                return sg_arena_printf(arena, " %.*s ", (int)(line + length - colon - 1),
                                       colon + 1);
        }
    }
    return "";
}

static bool has_word(const char *words, const char *word, size_t length)
{
    for (const char *at = words; (at = strstr(at, " ")) != NULL;) {
        at++;
        if (!strncmp(at, word, length) && at[length] == ' ')
            return true;
    }
    return false;
}

static bool has_all_words(const char *words, const char *wanted)
{
    while (*(wanted += strspn(wanted, " "))) {
        const size_t length = strcspn(wanted, " ");
        if (!has_word(words, wanted, length))
            return false;
        wanted += length;
    }
    return true;
}

/* True if the CPU has the page's flags. False, with diagnostics, if its isa's table is broken. */
static bool fits_cpu(sg_arena *arena, sg_diags *diags, const char *root, const sg_target *target,
                     const char *words)
{
    const char *isa = sg_target_string(target, FACT_ISA);

    if (!has_all_words(words, sg_target_string(target, FACT_CPU_FLAGS)))
        return false;
    if (!*isa)
        return true;
    if (!sg_isa_exists(diags, root, isa, sg_target_fact(target, FACT_ISA)->origin))
        return false;
    const char *const *flags = sg_isa_cpu_flags(arena, diags, root, isa);
    if (!flags)
        return false;
    for (; *flags; flags++)
        if (!has_all_words(words, *flags))
            return false;
    return true;
}

const sg_target *sg_target_load_host(sg_arena *arena, sg_diags *diags, const char *root,
                                     const char *cpuinfo)
{
    const char *words = read_cpu_words(arena, cpuinfo);
    const size_t errors = sg_diags_error_count(diags);
    const sg_target *best = NULL;
    sg_facts facts;
    size_t count = 0;
    const char *const *names = page_names(arena, root, &count);

    if (!sg_facts_load(arena, diags, root, &facts))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const sg_target *target = load_named(arena, diags, root, &facts, names[i],
                                             &no_overrides);
        if (!target || !sg_target_integer(target, FACT_CANDIDATE) ||
            sg_target_integer(target, FACT_ABSTRACT) || !sg_target_fact(target, FACT_BACKEND))
            continue;
        if (best && sg_target_integer(target, FACT_RANK) <= sg_target_integer(best, FACT_RANK))
            continue;
        if (fits_cpu(arena, diags, root, target, words))
            best = target;
    }
    if (sg_diags_error_count(diags) > errors)
        return NULL;
    if (!best)
        sg_diag(diags, SG_ERROR, (sg_loc){ NULL, 0, 0 },
                "no page of targets/ fits this CPU; name one: spmvgen --list-targets shows them");
    return best;
}
