/* options.c: gpubench's table of options, and checks of their combinations. */
#include "bench/gpu/options.h"

#include "bench/gpu/modes.h"
#include "common/fail.h"
#include "common/options.h"

#define FIELD(name) offsetof(gpu_options, name)
static const char *const types[] = { "f32", "f64", NULL };
static const char *const offsets[] = { "i32", "i64", NULL };

static const sg_option table[] = {
    { .name = "matrix", .value = "NAME", .kind = SG_OPTION_TEXT, .offset = FIELD(matrix),
      .help = "multiply the look-alike of this matrix (docs/reference/lookalikes.md)" },
    { .name = "shape", .value = "NAME", .kind = SG_OPTION_TEXT, .offset = FIELD(shape),
      .help = "multiply this shape, of those that spmvbench --list shows" },
    { .name = "size", .value = "N", .kind = SG_OPTION_REAL, .offset = FIELD(size),
      .help = "size of the shape; without it the typical one" },
    { .name = "seed", .value = "N", .kind = SG_OPTION_INTEGER, .max = INT64_MAX,
      .offset = FIELD(seed),
      .help = "seed of the matrix, and of x and y; without it 1" },
    { .name = "type", .value = "f32|f64", .kind = SG_OPTION_TEXT, .choices = types,
      .offset = FIELD(type),
      .help = "value type; without it f64" },
    { .name = "offset", .value = "i32|i64", .kind = SG_OPTION_TEXT, .choices = offsets,
      .offset = FIELD(offset),
      .help = "type of row pointers; without it i32" },
    { .name = "beta", .value = "B", .kind = SG_OPTION_REAL, .offset = FIELD(beta),
      .help = "of y = A*x + beta*y; without it 0" },
    { .name = "bandwidth", .kind = SG_OPTION_FLAG, .offset = FIELD(bandwidth),
      .help = "measure how fast memory is copied and read" },
    { .name = "describe", .kind = SG_OPTION_FLAG, .offset = FIELD(describe),
      .help = "show the sizes of the matrix in each format, and stop; needs no GPU" },
    { .name = "probe", .kind = SG_OPTION_FLAG, .offset = FIELD(probe),
      .help = "print what the GPU is, on one line, and stop; exit code 1 where there is none" },
    { .name = "device", .value = "NAME", .kind = SG_OPTION_TEXT, .offset = FIELD(device),
      .help = "libspmv's device, as options.device of spmv_device_open has it; without it cuda" },
    { .name = "target", .value = "NAME", .kind = SG_OPTION_TEXT, .offset = FIELD(target),
      .help = "libspmv's modules of this target alone, also those whose page is for another GPU" },
    { .name = "only", .value = "TEXT,...", .kind = SG_OPTION_TEXT, .offset = FIELD(only),
      .help = "only the variants whose label has one of the texts in it, as in 'csr5,CSR_ALG2'" },
    { .name = "matrix-on-device", .kind = SG_OPTION_FLAG, .offset = FIELD(matrix_on_device),
      .help = "create libspmv's plans from a matrix in the GPU's memory; their preparation begins "
              "with\n"
              "a copy to the host" },
    { .name = "modes", .value = "N", .kind = SG_OPTION_INTEGER, .min = 1, .max = GPU_MODES,
      .offset = FIELD(modes),
      .help = "time the first N ways alone; 1: beyond L2, by a graph of many; without it all 6" },
    { .name = "profile", .kind = SG_OPTION_FLAG, .offset = FIELD(profile),
      .help = "for a profiler: check each variant, then multiply with it once between the calls "
              "of\n"
              "cudaProfilerStart and cudaProfilerStop, and print its label; time nothing" },
    { .name = "json", .value = "FILE", .kind = SG_OPTION_TEXT, .offset = FIELD(json),
      .help = "write the figures here; replaces nothing but an older such file" },
    { .name = "faults", .value = "FILE", .kind = SG_OPTION_TEXT, .offset = FIELD(faults),
      .help = "variants that made the GPU unusable: those listed there are left out, and one that "
              "does\n"
              "so now is added, with exit code 4" },
    { .name = "patience", .value = "S", .kind = SG_OPTION_REAL, .offset = FIELD(patience),
      .help = "a variant that takes longer than S seconds to be made ready or for its turn makes "
              "the GPU\n"
              "unusable; 0: none does; without it 40" },
    { .name = "help", .kind = SG_OPTION_FLAG, .offset = FIELD(help),
      .help = "print this and stop" },
    { .name = "version", .kind = SG_OPTION_FLAG, .offset = FIELD(version),
      .help = "print the version and stop" },
};

static const sg_option_table option_table = {
    .options = table, .count = sizeof table / sizeof table[0], .help_column = 22,
    .last_wins = true,
};

bool gpu_options_parse(int argc, char *const *argv, gpu_options *out, spmv_error *error)
{
    *out = (gpu_options){ .size = -1, .seed = 1, .type = "f64", .offset = "i32", .device = "cuda",
                          .patience = 40, .modes = GPU_MODES };
    if (!sg_option_table_parse(&option_table, argc, argv, out, NULL, error))
        return false;
    if (out->help || out->version)
        return true;
    if (out->bandwidth + out->probe + (out->matrix != NULL) + (out->shape != NULL) != 1)
        return sg_fail(error, "give one of --matrix NAME, --shape NAME, --bandwidth and --probe");
    if (out->patience < 0 || out->patience > 3600)
        return sg_fail(error, "--patience takes 0 to 3600 seconds, not %g", out->patience);
    return out->size == -1 || out->shape || sg_fail(error, "--size is for --shape alone");
}

void gpu_options_help(FILE *out)
{
    fputs("Usage: gpubench --matrix NAME [OPTION]...\n"
          "       gpubench --shape NAME [--size N] [OPTION]...\n"
          "       gpubench --bandwidth [--json FILE]\n"
          "       gpubench --probe\n"
          "Multiply a matrix on an NVIDIA GPU with every module of libspmv's and every algorithm "
          "of\n"
          "cuSPARSE's, check each result, and time side by side what is right; docs/how-to/gpu.md "
          "says "
          "more.\n"
          "\n", out);
    sg_option_table_help(&option_table, out);
    fputs("\n"
          "Exit codes: 0 all is right, 1 a wrong result or a failure, 2 bad command line, 4 a "
          "variant\n"
          "left the GPU unusable, and --faults names it now.\n", out);
}
