import type { Summary } from "../summary/summary.js";

/** The runs of an experiment with their scores as CSV (RFC 4180), a line a run. */
export function runsCsv({ runs, tasks, scorers }: Summary): string {
  const levels = new Map(tasks.map(({ id, level }) => [id, level]));
  const scored = scorers.filter(({ id }) => runs.some(({ scores }) => scores[id] !== undefined));
  const head = ["task", "level", "graph", "variant", "run", "status"];
  const rows = runs.map(({ record, scores }) => {
    const { task, graph, variant, run, status } = record;
    const figures = scored.map(({ id }) => scores[id]);
    return [task, levels.get(task), graph, variant, run, status, ...figures];
  });
  return [[...head, ...scored.map(({ id }) => id)], ...rows]
    .map((row) => `${row.map(field).join(",")}\r\n`)
    .join("");
}

function field(value: string | number | undefined): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
