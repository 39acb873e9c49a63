/* inherit.c: inherit "NAME" of a page: finds the ancestor and checks that it may be one. */
#include <lauxlib.h>
#include <string.h>

#include "generator/lua/sandbox.h"
#include "generator/lua/value.h"
#include "generator/page/page_state.h"
#include "generator/page/suggest.h"
#include "generator/base/data_files.h"
#include "generator/base/text.h"

/* The page's own folder comes first, so that one page of a user may extend another; a page is
 * never its own ancestor, so that targets/x.lua may be extended by a page x.lua elsewhere. */
static bool find_ancestor(const sg_page_state *page, const char *name, const char **path,
                          const char **shown)
{
    sg_arena *arena = page->chain->arena;
    const char *file = sg_arena_printf(arena, "%s.lua", name);
    const char *own = sg_path_dir(arena, page->shown);

    *path = sg_path_join(arena, sg_path_dir(arena, page->path), file);
    *shown = strcmp(own, ".") ? sg_path_join(arena, own, file) : file;
    if (strcmp(file, sg_path_base(page->path)) && sg_is_file(*path))
        return true;
    *shown = sg_path_join(arena, "targets", file);
    *path = sg_path_join(arena, page->chain->root, *shown);
    return sg_is_file(*path);
}

static int inherit_fails(lua_State *L, const sg_page_state *page, const char *name)
{
    const sg_chain *chain = page->chain;
    sg_arena *arena = chain->arena;

    if (sg_ends_with(name, ".lua"))
        return luaL_error(L, "a page is inherited by its name, without .lua: inherit \"%s\"",
                          sg_arena_strndup(arena, name, strlen(name) - strlen(".lua")));
    if (!strcmp(sg_arena_printf(arena, "%s.lua", name), sg_path_base(page->path)))
        return luaL_error(L, "a page cannot inherit itself, and targets/ has no other page '%s'",
                          name);
    return luaL_error(L, "there is no page '%s' to inherit, neither in targets/ nor beside this "
                         "page%s", name,
                      chain->makes_suggestion
                          ? "" : sg_suggest_page(arena, chain->root, chain->facts, name));
}

/* inherit "name" */
int sg_page_inherit(lua_State *L)
{
    sg_page_state *page = sg_lua_context(L);
    sg_chain *chain = page->chain;
    const char *path, *shown;

    if (lua_type(L, 1) != LUA_TSTRING || lua_gettop(L) != 1)
        return luaL_error(L, "inherit takes the name of a page: inherit \"name\"");
    if (page->inherits)
        return luaL_error(L, "a page inherits one page; remove one of the two lines");
    if (page->last_line)
        return luaL_error(L, "inherit must stand above all assignments");
    page->inherits = true;
    const char *name = sg_lua_name(L, 1);
    if (!sg_is_data_file_name(name))
        return luaL_error(L, "a page's name consists of letters, digits, '-', '_' and '.', and is "
                             "no path");
    if (!find_ancestor(page, name, &path, &shown))
        return inherit_fails(L, page, name);
    for (int d = 0; d <= page->depth; d++)
        if (!strcmp(chain->paths[d], path))
            return luaL_error(L, "'%s' inherits itself: %s leads back to it", chain->pages[d].file,
                              page->shown);
    if (page->depth + 1 == SG_PAGE_DEPTH)
        return luaL_error(L, "a page may have %d ancestors and this is one more",
                          SG_PAGE_DEPTH - 1);
    if (!sg_page_run(chain, path, shown, page->depth + 1)) {
        sg_diag(chain->diags, SG_NOTE, sg_lua_here(L), "%s is inherited here", shown);
        return sg_lua_reported(L);
    }
    return 0;
}
