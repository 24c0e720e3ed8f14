import { BenchmarkFailed, oneLine } from "../../common/errors.js";
import type { LineProblem, PlacedRow } from "./taskRows.js";

/** Tasks with the id of an earlier one. */
export function repeatedIds(file: string, rows: readonly PlacedRow[]): LineProblem[] {
  const first = new Map<string, number>();
  const problems: LineProblem[] = [];
  for (const { line, row } of rows) {
    const before = first.get(row.id);
    if (before === undefined) first.set(row.id, line);
    else
      problems.push({
        file,
        line,
        problem: `the id "${row.id}" is that of line ${before} already`,
      });
  }
  return problems;
}

/** Unknown tools in tasks: one problem for each tool, at the first line that names it. */
export function unknownTools(options: {
  file: string;
  rows: readonly PlacedRow[];
  known: ReadonlySet<string>;
  /** Where the tools should be, in words. */
  place?: string;
}): LineProblem[] {
  const { file, rows, known, place = "tools.jsonl" } = options;
  const lines = new Map<string, number[]>();
  for (const { line, row } of rows) {
    const unknown = new Set(namedTools(row).filter((id) => !known.has(id)));
    for (const id of unknown) lines.set(id, [...(lines.get(id) ?? []), line]);
  }
  return [...lines].map(([id, [line = 0, ...others]]) => {
    const more = others.length > 0 ? `; ${others.length + 1} lines name it` : "";
    return { file, line, problem: `the tool "${oneLine(id)}" is not in ${place}${more}` };
  });
}

/** @throws BenchmarkFailed with the first problem and the number of others */
export function requireNone(benchmark: string, problems: readonly LineProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const rest = problems.length - 1;
  throw new BenchmarkFailed({
    benchmark,
    problem: `${first.file}:${first.line}: ${first.problem}`,
    hint:
      rest === 0
        ? undefined
        : `There ${rest === 1 ? "is 1 more problem" : `are ${rest} more problems`}`,
  });
}

function namedTools({
  tools,
  candidates = [],
  calls = [],
  turns = [],
  path = [],
}: PlacedRow["row"]) {
  const called = [...calls, ...turns.flatMap((turn) => turn.calls)].map(({ tool }) => tool);
  return [...tools, ...candidates, ...called, ...path];
}
