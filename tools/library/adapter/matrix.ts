/** Numbers row by row; the length of a row is passed separately. */
export type Matrix = Float64Array;

/**
 * The scalar products of all rows of one matrix with all rows of another: (rows × size) and (other rows × size) give
 * (rows × other rows). Training spends nearly all its time here.
 */
export function rowProducts(options: { left: Matrix; right: Matrix; size: number }): Matrix {
  const { left, right, size } = options;
  const rows = left.length / size;
  const columns = right.length / size;
  const products = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const from = row * size;
    const to = row * columns;
    let column = 0;
    // Four at once is some three times faster, and so is reading without defaults for missing values.
    for (; column + 3 < columns; column += 4) {
      const at = column * size;
      let [first, second, third, fourth] = [0, 0, 0, 0];
      for (let k = 0; k < size; k += 1) {
        const factor = left[from + k] as number;
        first += factor * (right[at + k] as number);
        second += factor * (right[at + size + k] as number);
        third += factor * (right[at + 2 * size + k] as number);
        fourth += factor * (right[at + 3 * size + k] as number);
      }
      products.set([first, second, third, fourth], to + column);
    }
    for (; column < columns; column += 1) {
      const other = right.subarray(column * size, (column + 1) * size);
      products[to + column] = scalarProduct(left.subarray(from, from + size), other);
    }
  }
  return products;
}

/** The scalar product of two rows of one length. */
export function scalarProduct(left: Matrix, right: Matrix): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
}

/** Turns rows into columns; `size` is the length of the given rows. */
export function transposed(matrix: Matrix, size: number): Matrix {
  const rows = matrix.length / size;
  const turned = new Float64Array(matrix.length);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < size; column += 1) {
      turned[column * rows + row] = matrix[row * size + column] ?? 0;
    }
  }
  return turned;
}

/** One row of a matrix, not copied. */
export function rowOf(matrix: Matrix, row: number, size: number): Matrix {
  return matrix.subarray(row * size, (row + 1) * size);
}

export function identityMatrix(size: number): Matrix {
  const identity = new Float64Array(size * size);
  for (let at = 0; at < size; at += 1) identity[at * size + at] = 1;
  return identity;
}

/** A matrix with these vectors, all of one length, as its rows. */
export function matrixOf(vectors: readonly ArrayLike<number>[], size: number): Matrix {
  const matrix = new Float64Array(vectors.length * size);
  for (const [row, vector] of vectors.entries()) matrix.set(vector, row * size);
  return matrix;
}
