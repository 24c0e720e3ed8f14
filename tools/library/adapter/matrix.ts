/** Vectors of one length, the rows of a matrix. */
export type Rows = readonly Float64Array[];

/** The scalar products of each row with each of the others. Training spends nearly all its time here. */
export function rowProducts(rows: Rows, others: Rows): Float64Array[] {
  return rows.map((row) => {
    const products = new Float64Array(others.length);
    let at = 0;
    // Four at once is some three times faster, and so is reading without defaults for missing values.
    for (; at + 3 < others.length; at += 4) {
      const [one, two, three, four] = others.slice(at, at + 4) as Quartet;
      let [first, second, third, fourth] = [0, 0, 0, 0];
      for (let k = 0; k < row.length; k += 1) {
        const factor = row[k] as number;
        first += factor * (one[k] as number);
        second += factor * (two[k] as number);
        third += factor * (three[k] as number);
        fourth += factor * (four[k] as number);
      }
      products.set([first, second, third, fourth], at);
    }
    for (; at < others.length; at += 1)
      products[at] = scalarProduct(row, others[at] as Float64Array);
    return products;
  });
}

type Quartet = [Float64Array, Float64Array, Float64Array, Float64Array];

export function scalarProduct(row: Float64Array, other: Float64Array): number {
  return row.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

/** Columns as rows. */
export function transposed(rows: Rows): Float64Array[] {
  return Array.from(rows[0] ?? [], (_, column) =>
    Float64Array.from(rows, (row) => row[column] ?? 0),
  );
}

export function identityMatrix(size: number): Float64Array[] {
  return Array.from({ length: size }, (_, row) => new Float64Array(size).with(row, 1));
}
