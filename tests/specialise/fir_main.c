/* fir_main.c: runs the specialised filter and prints its results. The filter and the types `sample`
 * and `wide` stand above this text. Samples are integers, so every result is exact. */
#include <stdio.h>

int main(void)
{
    sample x[32], y[28], tap[] = { 1, -2, 3, -2, 1 };
    wide bin[3];

    for (int i = 0; i < 32; i++)
        x[i] = (sample)(i * i % 7 - 3);
    const wide done = fir_run(x, tap, y, 27, bin);
    for (int i = 0; i < 27; i++) {
        sample expected = 0;
        for (int t = 0; t < 5; t++)
            expected += tap[t] * x[i + t];
        if (y[i] != expected)
            printf("wrong at %d\n", i);
    }
    printf("%d outputs, %d negative, %d zero, %d positive, y[0] = %g, y[26] = %g\n", (int)done,
           (int)bin[0], (int)bin[1], (int)bin[2], (double)y[0], (double)y[26]);
    return 0;
}
