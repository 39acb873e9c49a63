/* foreign_text.c: see foreign_text.h. */
#include "common/foreign_text.h"

#include <stdint.h>
#include <string.h>

typedef struct span {
    const char *begin, *end;
} span;

/* ---- lines and words ------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Moves *at behind the line. */
static bool next_line(const sg_file_head *head, size_t *at, span *line)
{
    if (*at >= head->size)
        return false;
    const char *begin = head->bytes + *at, *end = head->bytes + head->size;
    const char *newline = memchr(begin, '\n', head->size - *at);
    if (!newline && !head->is_whole)
        return false;
    *line = (span){ begin, newline ? newline : end };
    *at += (size_t)(line->end - begin) + 1;
    return true;
}

/* Cuts the next word off the line. */
static bool next_word(span *line, span *word)
{
    while (line->begin < line->end && is_blank(*line->begin))
        line->begin++;
    *word = (span){ line->begin, line->begin };
    while (word->end < line->end && !is_blank(*word->end))
        word->end++;
    line->begin = word->end;
    return word->end > word->begin;
}

static bool is_natural(span word, int64_t *value)
{
    enum { DIGITS = 18 };
    *value = 0;
    if (word.begin == word.end || word.end - word.begin > DIGITS)
        return false;
    for (const char *p = word.begin; p < word.end; p++) {
        if (*p < '0' || *p > '9')
            return false;
        *value = *value * 10 + (*p - '0');
    }
    return true;
}

static bool is_number(span word)
{
    for (const char *p = word.begin; p < word.end; p++)
        if (*p == '\0' || !strchr("0123456789+-.eEdDinfINFaA", *p))
            return false;
    return word.end > word.begin && strchr("0123456789+-.niNI", *word.begin);
}

/* ---- tables of numbers ----------------------------------------------------------------------- */

/* Lines of numbers: the first one, and sums over the others. Comments and blank lines are left
 * out. */
typedef struct survey {
    bool all_numbers;
    int first_words;
    bool is_first_natural;
    int64_t first[4];

    int64_t lines, words;
    int fewest, most;            /* words of a line */
    bool all_natural;
    int64_t lowest, highest;     /* of natural words */
    bool all_places;             /* the first two words of each line are natural: */
    int64_t low[2], high[2];
    int64_t blank, last;         /* blank lines; lines up to the last one, with blank ones */
} survey;

static void survey_first(survey *s, span line)
{
    span word;
    int64_t value;
    s->is_first_natural = true;
    for (; next_word(&line, &word); s->first_words++) {
        s->all_numbers &= is_number(word);
        s->is_first_natural &= is_natural(word, &value);
        if (s->first_words < 4)
            s->first[s->first_words] = value;
    }
}

static void survey_line(survey *s, span line)
{
    span word;
    int count = 0;
    for (; next_word(&line, &word); count++) {
        int64_t value;
        bool natural = is_natural(word, &value);
        s->all_numbers &= is_number(word);
        s->all_natural &= natural;
        s->lowest = natural && value < s->lowest ? value : s->lowest;
        s->highest = natural && value > s->highest ? value : s->highest;
        if (count < 2) {
            s->all_places &= natural;
            s->low[count] = value < s->low[count] ? value : s->low[count];
            s->high[count] = value > s->high[count] ? value : s->high[count];
        }
    }
    s->all_places &= count >= 2;
    s->fewest = count < s->fewest ? count : s->fewest;
    s->most = count > s->most ? count : s->most;
    s->words += count;
    s->lines++;
    s->last = s->lines + s->blank;
}

static survey survey_of(const sg_file_head *head)
{
    survey s = { .all_numbers = true, .all_natural = true, .all_places = true, .fewest = INT32_MAX,
                 .lowest = INT64_MAX, .low = { INT64_MAX, INT64_MAX } };
    span line, word;
    for (size_t at = 0; s.all_numbers && next_line(head, &at, &line);) {
        span rest = line;
        if (!next_word(&rest, &word))
            s.blank += s.first_words > 0;
        else if (*word.begin != '#' && *word.begin != '%' && s.first_words == 0)
            survey_first(&s, line);
        else if (*word.begin != '#' && *word.begin != '%')
            survey_line(&s, line);
    }
    return s;
}

/* A Matrix Market file that lacks its banner: ROWS COLS ENTRIES, then places in this range. */
static bool is_without_banner(const survey *s)
{
    return s->first_words == 3 && s->is_first_natural && s->lines > 0 && s->all_places &&
           s->low[0] >= 1 && s->high[0] <= s->first[0] && s->low[1] >= 1 &&
           s->high[1] <= s->first[1];
}

/* Whether there are lines of a place and as many numbers as make `words`. */
static bool is_table(const survey *s, int words)
{
    return s->all_numbers && s->first_words == words && s->lines > 0 && s->all_places &&
           s->fewest == words && s->most == words && !is_without_banner(s);
}

bool sg_is_edge_list(const sg_file_head *head)
{
    survey s = survey_of(head);
    return is_table(&s, 2) && s.is_first_natural && s.all_natural;
}

bool sg_is_triplets(const sg_file_head *head)
{
    survey s = survey_of(head);
    return is_table(&s, 3);
}

/* "LOW_ROW HIGH_ROW LOW_COL HIGH_COL", then places in this range with a value. */
bool sg_is_hypre(const sg_file_head *head)
{
    survey s = survey_of(head);
    return s.all_numbers && s.first_words == 4 && s.is_first_natural && s.lines > 0 &&
           s.all_places && s.fewest == 3 && s.most == 3 && s.low[0] >= s.first[0] &&
           s.high[0] <= s.first[1] && s.low[1] >= s.first[2] && s.high[1] <= s.first[3];
}

/* "VERTICES EDGES [FORMAT [WEIGHTS]]", then a line for each vertex: its weights, then neighbours
 * from 1 with or without weights of edges. The digits of the format: 1 for a size of each vertex,
 * for weights of vertices, for weights of edges. Each edge stands in two lines. */
bool sg_is_metis(const sg_file_head *head)
{
    survey s = survey_of(head);
    int64_t vertices = s.first[0], edges = s.first[1], format = s.first[2];
    if (!s.all_numbers || s.first_words < 2 || s.first_words > 4 || !s.is_first_natural ||
        s.lines == 0 || !s.all_natural || s.last > vertices || format > 111 || format % 10 > 1 ||
        format / 10 % 10 > 1)
        return false;
    if (format == 0 && (s.lowest < 1 || s.highest > vertices))
        return false;
    if (!head->is_whole)
        return s.fewest < s.most;
    int64_t weights = s.first_words == 4 ? s.first[3] : 1;
    int64_t of_vertex = format / 100 + format / 10 % 10 * weights;
    return s.lines + s.blank >= vertices && weights <= s.words && edges <= s.words &&
           s.words == 2 * edges * (1 + format % 10) + vertices * of_vertex;
}

/* ---- other texts ----------------------------------------------------------------------------- */

/* The number of natural words at the start of the line. */
static int count_naturals(span line)
{
    span word;
    int64_t value;
    int count = 0;
    while (next_word(&line, &word) && is_natural(word, &value))
        count++;
    return count;
}

static bool is_matrix_type(span word)
{
    static const char *const letters[] = { "RCPIQrcpiq", "SUHZRsuhzr", "AEae" };
    if (word.end - word.begin != 3)
        return false;
    for (int i = 0; i < 3; i++)
        if (word.begin[i] == '\0' || !strchr(letters[i], word.begin[i]))
            return false;
    return true;
}

/* A title; counts of lines; type and counts of the matrix; Fortran formats. */
bool sg_is_harwell_boeing(const sg_file_head *head)
{
    span line[4], word;
    size_t at = 0;
    for (int i = 0; i < 4; i++)
        if (!next_line(head, &at, &line[i]))
            return false;
    return count_naturals(line[1]) >= 4 && next_word(&line[2], &word) && is_matrix_type(word) &&
           count_naturals(line[2]) >= 3 && next_word(&line[3], &word) && *word.begin == '(';
}

/* "c TEXT" for comments, then "p PROBLEM VERTICES EDGES". */
bool sg_is_dimacs(const sg_file_head *head)
{
    span line, word;
    for (size_t at = 0; next_line(head, &at, &line);) {
        if (!next_word(&line, &word))
            continue;
        if (word.end - word.begin != 1 || (*word.begin != 'c' && *word.begin != 'p'))
            return false;
        if (*word.begin == 'p')
            return next_word(&line, &word) && count_naturals(line) == 2;
    }
    return false;
}

/* "INDEX:VALUE" or "qid:NUMBER". */
static bool is_feature(span word)
{
    int64_t index;
    const char *colon = memchr(word.begin, ':', (size_t)(word.end - word.begin));
    if (!colon || !is_number((span){ colon + 1, word.end }))
        return false;
    return is_natural((span){ word.begin, colon }, &index) ||
           (colon - word.begin == 3 && !memcmp(word.begin, "qid", 3));
}

/* "LABEL FEATURE..." and an optional comment. */
bool sg_is_libsvm(const sg_file_head *head)
{
    span line, word;
    int64_t features = 0;
    for (size_t at = 0; next_line(head, &at, &line);) {
        if (!next_word(&line, &word) || *word.begin == '#')
            continue;
        if (!is_number(word))
            return false;
        while (next_word(&line, &word) && *word.begin != '#') {
            if (!is_feature(word))
                return false;
            features++;
        }
    }
    return features > 0;
}
