/* names.c: see names.h. Pure functions; all memory is the arena's. */
#include "generator/bundle/names.h"

#include <stdlib.h>
#include <string.h>

#include "generator/base/c_words.h"
#include "generator/base/name_set.h"

typedef struct names_checker {
    sg_arena *arena;
    sg_diags *diags;
    const sg_expanded *expanded;
    const char *contract;        /* the file whose macros templates use */
    sg_name_set reported;        /* "name file" */
} names_checker;

static int compare_name(const void *name, const void *element)
{
    return strcmp(name, ((const sg_expanded_name *)element)->name);
}

static const sg_expanded_name *find_name(const sg_expanded *expanded, const char *name)
{
    return bsearch(name, expanded->names, expanded->name_count, sizeof *expanded->names,
                   compare_name);
}

static void report(names_checker *c, const sg_piece *piece, const sg_expanded_name *found)
{
    const char *place = sg_arena_printf(c->arena, "%s %s", found->name,
                                        piece->loc.file ? piece->loc.file : "");

    if (sg_name_set_has(&c->reported, place))
        return;
    sg_name_set_add(c->arena, &c->reported, place);
    sg_diag(c->diags, SG_ERROR, piece->loc, "the name '%s' is taken by other code in the C file of "
            "a bundle; rename it here, or emit a folder of modules with -o DIR", found->name);
    sg_diag(c->diags, SG_NOTE, found->loc, "'%s' is declared here", found->name);
}

static void check_declared(names_checker *c, const sg_joined *joined, const sg_instance *instance,
                           const sg_piece *piece)
{
    for (const char *const *name = piece->names; name && *name; name++) {
        const sg_expanded_name *found =
            find_name(c->expanded, sg_joined_name(c->arena, joined, *name, instance));
        if (found && found->macro == SG_NO_MACRO)
            report(c, piece, found);
    }
}

/* Names of locals and members, too, would be replaced by the macro. */
static void check_words(names_checker *c, const sg_piece *piece)
{
    const char *at = piece->text, *word;
    size_t length;

    while ((word = sg_next_c_word(piece->text, &at, &length)) != NULL) {
        const sg_expanded_name *found = find_name(c->expanded,
                                                 sg_arena_strndup(c->arena, word, length));
        const bool is_called = at[strspn(at, " \n")] == '(';
        if (found && strcmp(found->loc.file, c->contract) != 0 &&
            (found->macro == SG_PLAIN_MACRO ||
             (found->macro == SG_CALLED_MACRO && is_called)))
            report(c, piece, found);
    }
}

bool sg_bundle_names_check(sg_arena *arena, sg_diags *diags, const sg_bundle_text *text,
                           size_t module_count, const sg_expanded *expanded, const char *contract)
{
    names_checker c = { .arena = arena, .diags = diags, .expanded = expanded,
                        .contract = contract };

    for (size_t i = 0; i < module_count; i++)
        for (size_t k = 0; k < text->hosts[i].piece_count; k++) {
            const sg_piece *piece = &text->hosts[i].pieces[k];
            if (piece->kind == SG_PIECE_COMMENT)
                continue;
            check_declared(&c, &text->host, &text->hosts[i], piece);
            check_words(&c, piece);
        }
    return c.reported.count == 0;
}
