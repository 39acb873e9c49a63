-- x86.lua: what the tables of x86's instruction sets share. They inherit it; no page names it.

return {
    name = "x86",
    inherits = "gnu_c",
    usable = "1",
    condition = "defined(__x86_64__) || defined(__i386__)",
    preamble = [[

#if !defined(__x86_64__) && !defined(__i386__)
#error "this file is for x86: leave it out for other CPUs"
#endif
/* Some functions of gcc's header leave a variable unset on purpose, and gcc 12 warns of it. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#include <math.h>
#include <string.h>
]],
    preamble_header = "x86_cpu.h",
    words = {},
}
