/* foreign_text.h: recognises formats of matrices and graphs in text, by their first lines.
 *
 * Only whole lines count. Numbers alone may have several meanings, so a format must hold for all
 * lines that are there, and for the counts of its first line. */
#ifndef SG_FOREIGN_TEXT_H
#define SG_FOREIGN_TEXT_H

#include "common/foreign_file.h"

bool sg_is_harwell_boeing(const sg_file_head *head);     /* or Rutherford-Boeing */
bool sg_is_dimacs(const sg_file_head *head);
bool sg_is_hypre(const sg_file_head *head);
bool sg_is_metis(const sg_file_head *head);
bool sg_is_edge_list(const sg_file_head *head);          /* two columns */
bool sg_is_triplets(const sg_file_head *head);           /* three, without banner and size line */
bool sg_is_libsvm(const sg_file_head *head);

#endif
