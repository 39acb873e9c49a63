// templates/comments.c plain WIDTH=4 DEPTH=3 sample=f64
/* What is too long in a comment is wrapped, and the rest of its paragraph is filled anew. Lines
 * before that are left, such as these two, are filled with it.
 *
 * This paragraph has no line that is too long,
 * so that it stays.
 *
 *     a drawing  | that is wider than any line may be | stays as it stands, since its blanks are a part of it |
 *     and what is below it
 * This line is below a drawing, too long, and filled until the next drawing, or table, or item of a
 * list begins:
 * - one item, that is not touched
 * - another one, which is too long for a line, so that it goes on in the next one, which begins the
 * next item - or does not
 * - the last one
 *
 *  1.  first column, second column of a list that has extra blanks, and that therefore is left as it stands here
 */

/* a*b + c */
static inline double multiply_add(double a, double b, double c)
{
    return a * b + c;
}

static inline int64_t wide_product(int64_t a, int64_t b)
{
    return a * b;
}

/* ---- a rule that is too long becomes shorter by what it has too much of, but not its words ---- */

/* One line that is too long and becomes two, of which the second one closes the comment as this one
 * did. */
/* what is behind code, and cannot stay there, goes above it as a whole */
static const int32_t one[4 /* WIDTH */] = { 1 };

/* The end of the comment takes three columns of its own, and its last word would have none of
 * them. */
typedef struct fields {
    double first;                /* begins behind its field, and goes on beneath itself in a line
                                    that is too long for it, and in a short one */
    /* above, since there is no room behind it */
    double second_of_the_fields_that_are_so_long_that_nothing_has_room_behind_them;
    double third;                /* a comment with a line
                                  * that begins with a star, and which is longer than the hundred
                                  * columns allow */
} fields;

/*
 * A comment that is opened and closed on lines of their own, and whose only line of words is too
 * long to stay. */
double last(const fields *f, const double *y)
{
    const char *text =
        "/* no comment, although it looks like one, and is as long as a line that is wrapped would be */";

    return text[0] == '/' /* with code behind it */ ?
           f->first : multiply_add(f->third, y[one[0]],
                                   multiply_add(f->third, y[one[1]], f->first + y[0]) - y[1]);
}

/* Outer arguments go before inner ones, a sum's parts before its factors. */
int64_t broken(const int64_t *first, const int64_t *second, int64_t limit, int64_t number)
{
    for (int64_t index = number * wide_product(first[0], second[0]); index < limit;
         index += (int64_t)one[0] * number)
        number += wide_product(first[0] - second[0],
                               number * wide_product(limit, first[1] - second[1]));
    number += wide_product(first[0], second[0]) * limit +
              wide_product(second[1], first[1]) * number * limit;
    return wide_product(wide_product(number + first[2] + first[3], limit),
                        wide_product(number, second[3] + 1));
}
