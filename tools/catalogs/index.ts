/** A set of tools that ships with the project. */
export interface Catalog {
  /** What its tools are about, for people and for planning. */
  description: string;
  /** The file that exports its functions, relative to the package root. */
  file: string;
}

/** The catalogues by name; each is a library of that name from its first use on. */
export const CATALOGS: Record<string, Catalog> = {
  math: {
    description:
      "Mathematics: arithmetic and powers, number theory, sequences and sums, plane and solid geometry, trigonometry, statistics, interest on money, and conversion of temperatures and angles",
    file: "tools/catalogs/math/index.ts",
  },
};
