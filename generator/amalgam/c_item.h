/* c_item.h: an item at the file scope of a C file. */
#ifndef SG_C_ITEM_H
#define SG_C_ITEM_H

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/diag.h"

typedef enum sg_c_kind {
    SG_C_FUNCTION,               /* with its body */
    SG_C_PROTOTYPE,
    SG_C_VARIABLE,
    SG_C_EXTERN,                 /* a variable that another item defines */
    SG_C_TYPE,
    SG_C_MACRO,                  /* #define */
    SG_C_UNDEF,
    SG_C_CHECK,                  /* a static assertion */
    SG_C_CALL,                   /* MACRO(...), which may declare anything */
    SG_C_PRAGMA,                 /* and other directives that name nothing */
    SG_C_IF,                     /* #if, #ifdef, #ifndef */
    SG_C_ELSE,                   /* #else, #elif */
    SG_C_ENDIF,
    SG_C_INCLUDE,                /* names[0] is the quoted file */
    SG_C_SYSTEM,                 /* names[0] is "<stddef.h>" */
    SG_C_MODULES,                /* #include SPMV_BUNDLE_MODULES */
    SG_C_FEATURE,                /* #define of a reserved name: _GNU_SOURCE */
    SG_C_WRAPPER,                /* extern "C" { and its }; #pragma GCC visibility */
    SG_C_HEADING,                /* a comment that begins with "----" */
    SG_C_NOTE                    /* another comment that stands alone */
} sg_c_kind;

enum { SG_C_NO_GROUP = -1 };

typedef struct sg_c_item {
    sg_c_kind kind;
    const char *comment;         /* directly above the item; NULL: none */
    const char *text;
    const char *const *names;    /* that the item declares, also tags and enumerators */
    size_t name_count;
    const char *trailing;        /* the comment at the end of `text`; NULL: none */
    size_t head;                 /* functions and prototypes: letters of `text` before { or ; */
    size_t open, close;          /* and the brackets of their parameters */
    bool is_static;
    bool has_attribute;          /* a prototype that says more than its definition can */
    bool blank_before;
    int group;                   /* the index of the #if around the item, or of a #else or #endif */
    sg_loc loc;
} sg_c_item;

#endif
