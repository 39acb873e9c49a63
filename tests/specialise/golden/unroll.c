// templates/unroll.c plain WIDTH=4 DEPTH=3 FLAG=0 sample=f64
/* Marked loops are written out. */

double sum_of(const double *x, int32_t n)
{
    double sum[4 /* WIDTH */];
    int32_t k = 0;

    sum[0] = 0;
    sum[1] = 0;
    sum[2] = 0;
    sum[3] = 0;

    /* A comment before. */
    for (; k + 4 <= n; k += 4) {
        /* Once is enough. */
        sum[0] = sum[0] + x[k];       /* and here */
        sum[1] = sum[1] + x[k + 1];
        sum[2] = sum[2] + x[k + 2];
        sum[3] = sum[3] + x[k + 3];
    }

    sum[0] = sum[0] + sum[2];
    sum[1] = sum[1] + sum[3];
    sum[0] = sum[0] + sum[1];
    return sum[0];
}

int64_t forms(int64_t *out, int32_t n)
{
    out[4] = 4;
    out[2] = 2;
    out[0] = 0;

    out[0] |= 1u;
    out[0] |= 2u;
    out[0] |= 4u;
    out[0] |= 8u;

    out[1] = n * (int64_t)1;
    out[2] = n * (int64_t)2;
    out[3] = n * (int64_t)3;

    {
        const int32_t index = n;
        out[index] = 1;
    }
    {
        const int32_t index = 3 + n;
        out[index] = 2;
    }
    {
        const int32_t index = 9 + n;
        out[index] = 6;
    }

    if (n > 3) {
        out[0] = n;
        out[1] = n;
    }

    for (int32_t j = 0; j < n; j++) {
        if (j == 3)
            break;
        out[j] += 0;
    }
    for (int32_t j = 0; j < n; j++) {
        if (j == 3)
            break;
        out[j] += 1;
    }
    return out[0];
}
