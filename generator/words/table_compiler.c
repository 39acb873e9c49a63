/* table_compiler.c: the parts of a compiler's table about kernels: the lines of its output with
 * metrics, and the resources that bound the number of waves. */
#include <string.h>

#include "generator/base/name_set.h"
#include "generator/words/compiler_table.h"
#include "generator/words/table_reader.h"

static const char *const no_names[] = { NULL };

/* ---- metrics --------------------------------------------------------------------------------- */

static size_t metric_index(const char *name)
{
    size_t index = 0;

    while (index < SG_METRICS && strcmp(sg_metric_names[index], name))
        index++;
    return index;
}

/* { registers = { "TITLE", "LINE: $" }, local_bytes = { "TITLE", "LINE: $", "0" }, ... } */
void sg_table_read_metrics(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    sg_metric_line *metrics = field;

    if (!sg_table_is_table(r, L, path, "{ FIGURE = { \"TITLE\", \"LINE: $\" } }"))
        return;
    for (const char *const *key = sg_table_keys(r, L, path); *key; key++) {
        const char *own = sg_table_join(r, path, *key);
        const char *const *texts = no_names;
        const size_t index = metric_index(*key);
        if (index == SG_METRICS) {
            sg_table_fail_unknown(r, own, *key, sg_metric_names);
            continue;
        }
        lua_getfield(L, -1, *key);
        sg_table_list(r, L, own, &texts);
        lua_pop(L, 1);
        const size_t count = sg_list_length(texts);
        if (count < 2 || count > 3 || !strchr(texts[1], '$'))
            sg_table_fail(r, own, "expected { TITLE, LINE }, or { TITLE, LINE, VALUE WITHOUT IT }, "
                          "with $ in the line for the figure");
        else
            metrics[index] = (sg_metric_line){ texts[0], texts[1], texts[2] };
    }
}

/* ---- occupancy ------------------------------------------------------------------------------- */

/* { resource = "local memory", total = FACT, figure = FIGURE, step = FACT, per = "group" } */
static sg_shared_resource read_resource(sg_table_reader *r, lua_State *L, const char *path)
{
    static const char *const known[] = { "resource", "total", "figure", "step", "per", NULL };
    const char *texts[sizeof known / sizeof known[0]] = { NULL };
    sg_shared_resource out = { .metric = SG_METRICS };

    for (const char *const *key = sg_table_keys(r, L, path); *key; key++)
        if (!sg_is_one_of(known, *key))
            sg_table_fail_unknown(r, path, *key, known);
    for (size_t i = 0; known[i]; i++) {
        if (lua_getfield(L, -1, known[i]) != LUA_TNIL)
            texts[i] = sg_table_text(r, L, path);
        lua_pop(L, 1);
    }
    out.name = texts[0];
    out.total = texts[1];
    out.step = texts[3];
    if (!out.name || !out.total || !texts[4])
        sg_table_fail(r, path, "expected resource, total and per in each entry of occupancy");
    if (texts[2] && (out.metric = (int)metric_index(texts[2])) == SG_METRICS)
        sg_table_fail_unknown(r, path, texts[2], sg_metric_names);
    out.is_of_groups = texts[4] && !strcmp(texts[4], "group");
    if (texts[4] && !out.is_of_groups && strcmp(texts[4], "wave") != 0)
        sg_table_fail(r, path, "expected per = \"wave\" or \"group\", found \"%s\"", texts[4]);
    return out;
}

void sg_table_read_occupancy(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    sg_compiler *compiler = field;

    if (!sg_table_is_table(r, L, path, "{ { resource = ..., total = ..., per = ... }, ... }"))
        return;
    const size_t count = lua_rawlen(L, -1);
    sg_shared_resource *list = sg_arena_alloc(r->arena, (count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        if (sg_table_is_table(r, L, path, "{ resource = ..., total = ..., per = ... }"))
            list[i] = read_resource(r, L, path);
        lua_pop(L, 1);
    }
    compiler->occupancy = list;
    compiler->occupancy_count = count;
}
