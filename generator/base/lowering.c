/* lowering.c: see lowering.h. */
#include "generator/base/lowering.h"

#include <string.h>

const sg_lowering *sg_lowering_of_module(const sg_lowering *lowering)
{
    return lowering->host ? lowering->host : lowering;
}

const sg_word *sg_lowering_find(const sg_lowering *lowering, const char *name)
{
    size_t low = 0, high = lowering->word_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(name, lowering->words[middle].name);
        if (order == 0)
            return &lowering->words[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
