/* dump.h: prints what stands after a pass, for whoever debugs a template or a page (--dump). */
#ifndef SG_SHOW_DUMP_H
#define SG_SHOW_DUMP_H

#include "generator/assemble/emission.h"

/* Appends what a pass put into the emission. */
typedef void sg_dump(const sg_emission *emission, sg_text *out);

sg_dump sg_dump_pages;           /* files and facts of each target, its tables for each type */
sg_dump sg_dump_parameters;      /* values and their origins */
sg_dump sg_dump_variants;        /* modules and their files; what is skipped */
sg_dump sg_dump_pieces;          /* the specialised declarations of each module */
sg_dump sg_dump_sections;        /* the joined ones, by the axes that they depend on */
sg_dump sg_dump_texts;           /* the text of each source, and the table of modules */
sg_dump sg_dump_parsed;          /* their names, languages and instruction sets */
sg_dump sg_dump_outputs;         /* the files to be written */
sg_dump sg_dump_manifest;        /* the last of them */

#endif
