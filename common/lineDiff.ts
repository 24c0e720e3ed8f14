interface LabelledText {
  label: string;
  text: string;
}

/** Two texts line by line, with what goes and what comes; empty if they are equal. */
export function lineDiff(from: LabelledText, to: LabelledText): string {
  if (from.text === to.text) return "";
  const [before, after] = [from.text.split("\n"), to.text.split("\n")];
  const common = commonLengths(before, after);
  const lines = [`--- ${from.label}`, `+++ ${to.label}`];
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    const [gone, come] = [before[i], after[j]];
    if (gone === come) {
      lines.push(` ${gone}`);
      i += 1;
      j += 1;
    } else if (come === undefined || (common[i + 1]?.[j] ?? -1) >= (common[i]?.[j + 1] ?? 0)) {
      lines.push(`-${gone}`);
      i += 1;
    } else {
      lines.push(`+${come}`);
      j += 1;
    }
  }
  return lines.join("\n");
}

/** At [i][j] the length of a longest common subsequence, which need not be contiguous, of the texts from i and from j. */
export function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const [row = new Uint32Array(), next = row] = rows.slice(i, i + 2);
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const skipped = Math.max(next[j] ?? 0, row[j + 1] ?? 0);
      row[j] = before[i] === after[j] ? (next[j + 1] ?? 0) + 1 : skipped;
    }
  }
  return rows;
}
