/* same_main.c: calls the functions of the template above (TEMPLATE is its number) and prints their
 * results. The template as it stands and its specialisation must print the same lines. */
#include <stdio.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static const int32_t numbers[] = { -7, -1, 0, 1, 2, 3, 4, 5, 9, 11, 12, 30, 1000 };

static void show(const char *name, const int64_t *values, int count)
{
    printf("%s:", name);
    for (int i = 0; i < count; i++)
        printf(" %lld", (long long)values[i]);
    printf("\n");
}

static void show_samples(const char *name, const double *values, int count)
{
    printf("%s:", name);
    for (int i = 0; i < count; i++)
        printf(" %a", values[i]);
    printf("\n");
}

#if TEMPLATE == 1
static void run(int32_t n)
{
    int32_t out[64] = { 0 };
    int64_t wide[64] = { 0 }, shown[64];
    double y[64] = { 0 };

    literals(out, n < 0 ? 0 : n % 8, n, 5u, 1.5, y);
    identities(y + 20, out + 20, n, 7, 3u);
    if (n >= 0 && n < 20)
        widths(wide, 3000000000 + n, n, 1u + (uint64_t)n, 64);
    unfolded(y + 40, n);
    for (int i = 0; i < 64; i++)
        shown[i] = out[i];
    show("fold", shown, 64);
    show("widths", wide, 64);
    show_samples("samples", y, 64);
}
#elif TEMPLATE == 2
static void run(int32_t n)
{
    static const int32_t p[16] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3 };
    const int64_t shown[] = {
        branches(n), scopes(n), logic(n, 3, p), choices(n, 1ll << 40, 4000000000u, 2.5), loops(n),
        chains(n), early(n), comments(n), tables(n),
    };
    show("prune", shown, COUNT(shown));
}
#elif TEMPLATE == 3
static void run(int32_t n)
{
    int64_t out[4096] = { 0 };
    double x[16];
    for (int i = 0; i < 16; i++)
        x[i] = i * 0.1;
    const double sum = sum_of(x, n < 0 ? 0 : n % 17);
    const int64_t result = n < 0 ? 0 : forms(out, n);
    show_samples("sum", &sum, 1);
    show("result", &result, 1);
    show("forms", out, 64);
}
#elif TEMPLATE == 4
static void run(int32_t n)
{
    const int64_t result = extremes(n < 0 ? n : -1 - n, n, 1u, (uint64_t)(n + 8));
    show("extremes", &result, 1);
}
#else
static void run(int32_t n)
{
    float narrow[8] = { 0 };
    double y[32] = { 0 };

    in_f32(narrow, 1.5f, n);
    in_f64(y, 1.5, n);
    y[9] = places(n * 0.25, n, y + 10);
    for (int i = 0; i < 8; i++)
        y[20 + i] = narrow[i];
    y[28] = more(y);
    show_samples("converted", y, 29);
}
#endif

int main(void)
{
    for (int i = 0; i < COUNT(numbers); i++)
        run(numbers[i]);
    return 0;
}
