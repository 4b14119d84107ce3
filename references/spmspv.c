/* y[i] += B[i,j] * x[j], B in CSR and x a sparse vector. The method, included
   before, keeps x and multiplies it with each row of B. */
void splyce_call(const int64_t *w) {
  struct level B = level_at(w + 1), x = level_at(w + 9);
  int64_t rows = w[4], size = w[5];
  double *y = array_at(w[16]);
  struct kept vector = room_for(size);
  keep(&vector, segment_at(&x, 0));
  for (int64_t i = 0; i < rows; ++i)
    y[i] = add_dot(&vector, segment_at(&B, i), 1.0, y[i]);
  give_back(&vector);
}
