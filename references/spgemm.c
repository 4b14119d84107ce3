/* A[i,j] += B[i,k] * C[k,j], B in CSR and C in CSC. The method, included
   before, keeps row i of B and multiplies it with each column of C. */
void splyce_call(const int64_t *w) {
  struct level B = level_at(w + 1), C = level_at(w + 9);
  int64_t rows = w[4], columns = w[12], size = w[13];
  double *A = array_at(w[17]);
  struct kept row = room_for(size);
  for (int64_t i = 0; i < rows; ++i) {
    struct segment own = segment_at(&B, i);
    if (!own.count)
      continue;
    keep(&row, own);
    for (int64_t j = 0; j < columns; ++j)
      A[i * columns + j] =
          add_dot(&row, segment_at(&C, j), 1.0, A[i * columns + j]);
    forget(&row);
  }
  give_back(&row);
}
