/* page_state.h: the state of a page while it runs, for page.c and inherit.c; sg_lua_context returns
 * it. */
#ifndef SG_PAGE_STATE_H
#define SG_PAGE_STATE_H

#include <lua.h>

#include "generator/page/chain.h"

typedef struct sg_page_state {
    sg_chain *chain;
    int depth;
    const char *path, *shown;
    int last_line;               /* of the last assignment: each has its own line */
    int errors;
    bool inherits;
} sg_page_state;

/* Runs one page of the chain, and its ancestors. */
bool sg_page_run(sg_chain *chain, const char *path, const char *shown, int depth);

/* inherit "NAME": a function for Lua. */
int sg_page_inherit(lua_State *L);

#endif
