/* amalgam_comment.c: see amalgam_comment.h. */
#include "generator/amalgam/amalgam_comment.h"

#include "generator/base/text.h"
#include "generator/amalgam/c_scan.h"

#include <ctype.h>
#include <string.h>

const char *sg_opening_reference(sg_arena *arena, const char *opening)
{
    const char *see = opening ? strstr(opening, ": see ") : NULL;

    if (!see || see > opening + strcspn(opening, " \n") + 1 + strcspn(opening + 3, ":\n"))
        return NULL;
    see += strlen(": see ");
    const size_t length = strcspn(see, " \n*");
    return length > 3 && !memcmp(see + length - 3, ".h", 2) && strchr(".;", see[length - 1])
               ? sg_arena_strndup(arena, see, length - 1) : NULL;
}

const char *sg_opening_text(sg_arena *arena, const char *opening)
{
    sg_text text = sg_text_in(arena);

    if (!opening || sg_opening_reference(arena, opening))
        return "";
    const char *at = strchr(opening, ':') + 1;
    const char *end = opening + strlen(opening);
    if (opening[1] == '*')
        end -= 2;
    at += strspn(at, " ");
    while (at < end) {
        size_t length = strcspn(at, "\n");
        length = at + length > end ? (size_t)(end - at) : length;
        size_t kept = length;
        while (kept > 0 && strchr(" \t\r", at[kept - 1]))
            kept--;
        sg_text_append_bytes(&text, at, kept);
        sg_text_append(&text, "\n");
        at += length + (at[length] == '\n');
        at += strspn(at, " \t");
        at += (*at == '*' && at < end) ? 1 : 0;
        at += *at == ' ';
    }
    while (text.length > 0 && text.data[text.length - 1] == '\n')
        text.data[--text.length] = '\0';
    return text.data;
}

const char *sg_opening_title(sg_arena *arena, const char *text, const char **rest)
{
    enum { MOST = 80 };          /* letters of a title */
    size_t length = 0;
    char *title;

    while (text[length] && !(text[length] == '.' && strchr(" \n", text[length + 1])))
        length++;
    if (length == 0 || length > MOST || strstr(sg_arena_strndup(arena, text, length), "\n\n"))
        return NULL;
    *rest = text + length + (text[length] == '.');
    *rest += strspn(*rest, " \n");
    title = sg_arena_strndup(arena, text, length);
    for (char *at = title; *at; at++)
        if (*at == '\n')
            *at = ' ';
    return title;
}

const char *sg_heading_line(sg_arena *arena, const char *title)
{
    sg_text line = sg_text_in(arena);

    sg_text_printf(&line, "/* ---- %s ", title);
    do
        sg_text_append(&line, "-");
    while (line.length < SG_AMALGAM_COLUMNS - strlen(" */"));
    sg_text_append(&line, " */");
    return line.data;
}

/* Adds the words of a paragraph in lines behind " * ". */
static void add_paragraph(sg_text *comment, const char *at, const char *end)
{
    size_t column = strlen("/* ");
    bool is_first = true;

    while (at < end) {
        const size_t length = strcspn(at, " \n");
        if (!is_first && column + 1 + length + strlen(" */") > SG_AMALGAM_COLUMNS) {
            sg_text_append(comment, "\n * ");
            column = strlen(" * ");
        } else if (!is_first) {
            sg_text_append(comment, " ");
            column++;
        }
        sg_text_append_bytes(comment, at, length);
        column += length;
        is_first = false;
        at += length;
        at += strspn(at, " \n");
    }
}

const char *sg_opening_comment(sg_arena *arena, const char *text)
{
    sg_text comment = sg_text_in(arena);
    const char *end = strstr(text, "\n\n"), *indented = strstr(text, "\n ");

    end = end ? end : text + strlen(text);
    end = indented && indented < end ? indented : end;
    sg_text_append(&comment, "/* ");
    add_paragraph(&comment, text, end);
    /* A single letter may be a variable. */
    if (isalpha((unsigned char)comment.data[4]) || !strncmp(comment.data + 3, "a ", 2))
        comment.data[3] = (char)toupper((unsigned char)comment.data[3]);
    for (const char *at = end; *at;) {
        at++;
        const size_t length = strcspn(at, "\n");
        sg_text_append(&comment, length > 0 ? "\n * " : "\n *");
        sg_text_append_bytes(&comment, at, length);
        at += length;
    }
    sg_text_append(&comment, " */");
    return comment.data;
}
