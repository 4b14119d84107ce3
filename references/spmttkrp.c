/* A[i,k] += B[i,k,l] * C[l,j] * D[k,j], B dense-compressed-compressed, C and D
   in CSR. The method, included before, keeps row k of D and multiplies it with
   each row l of C, scaled by the element of B. */
void splyce_call(const int64_t *w) {
  const int64_t *positions = array_at(w[1]), *ks = array_at(w[2]);
  struct level B = level_at(w + 3), C = level_at(w + 14), D = level_at(w + 22);
  int64_t rows = w[6], columns = w[25], size = w[26];
  double *A = array_at(w[30]);
  struct kept row = room_for(size);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t p = positions[i]; p < positions[i + 1]; ++p) {
      struct segment scales = segment_at(&B, p), own = segment_at(&D, ks[p]);
      double sum = A[i * columns + ks[p]];
      keep(&row, own);
      for (int64_t q = 0; q < scales.count; ++q)
        sum = add_dot(&row, segment_at(&C, scales.coordinates[q]),
                      scales.values[q], sum);
      forget(&row);
      A[i * columns + ks[p]] = sum;
    }
  give_back(&row);
}
