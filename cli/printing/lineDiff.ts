/** A text and its label in the head of a diff. */
export interface LabelledText {
  label: string;
  text: string;
}

/** Unchanged lines shown around a change. */
const CONTEXT = 3;

/**
 * A unified diff of two texts with three lines of context; empty if they are equal. A line break at the end of a text
 * counts as a further, empty line.
 */
export function unifiedDiff({ from, to }: { from: LabelledText; to: LabelledText }): string {
  if (from.text === to.text) return "";
  const steps = editScript(from.text.split("\n"), to.text.split("\n"));
  return [`--- ${from.label}`, `+++ ${to.label}`, ...hunks(steps)].join("\n");
}

/** A line that stays, goes or comes, with its line number, or that of the next line, on both sides. */
interface Step {
  sign: " " | "-" | "+";
  line: string;
  old: number;
  new: number;
}

/** The shortest edit from one list of lines to another, along a longest common subsequence. */
function editScript(before: readonly string[], after: readonly string[]): Step[] {
  const common = commonLengths(before, after);
  const steps: Step[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    const here = { old: i + 1, new: j + 1 };
    const [gone, come] = [before[i], after[j]];
    if (gone === come) {
      steps.push({ sign: " ", line: gone ?? "", ...here });
      i += 1;
      j += 1;
    } else if (come === undefined || (common[i + 1]?.[j] ?? -1) >= (common[i]?.[j + 1] ?? 0)) {
      steps.push({ sign: "-", line: gone ?? "", ...here });
      i += 1;
    } else {
      steps.push({ sign: "+", line: come, ...here });
      j += 1;
    }
  }
  return steps;
}

/** At [i][j] the length of a longest common subsequence of the lines from i and from j. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
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

function hunks(steps: readonly Step[]): string[] {
  const isNear = (at: number) =>
    steps.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== " ");
  const lines: string[] = [];
  for (let start = 0; start < steps.length; start += 1) {
    if (!isNear(start)) continue;
    let end = start;
    while (end < steps.length && isNear(end)) end += 1;
    const hunk = steps.slice(start, end);
    lines.push(header(hunk), ...hunk.map(({ sign, line }) => sign + line));
    start = end;
  }
  return lines;
}

/** Every text has at least one line, so no side of a hunk is ever empty. */
function header(hunk: readonly Step[]): string {
  const count = (other: Step["sign"]) => hunk.filter(({ sign }) => sign !== other).length;
  const [first] = hunk;
  return `@@ -${first?.old},${count("+")} +${first?.new},${count("-")} @@`;
}
