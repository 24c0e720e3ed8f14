import { readFileSync } from "node:fs";

/** An instruction of a Dockerfile, with its continued lines joined. */
export interface Instruction {
  name: string;
  text: string;
}

/** The instructions of a Dockerfile by its stages, each of which begins with FROM. */
export function stagesOf(file: string): Instruction[][] {
  const stages: Instruction[][] = [];
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => !/^\s*(#|$)/.test(line));
  const whole = lines.join("\n").replaceAll(/\\\n\s*/g, "");
  for (const line of whole.split("\n")) {
    const [, name = "", text = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === "FROM") stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** What a `COPY` copies, from another stage or from the build's folder. */
export function copiesIn(stage: readonly Instruction[]) {
  return stage
    .filter(({ name }) => name === "COPY")
    .map(({ text }) => {
      const [, from, paths = ""] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
      const sources = paths.split(/\s+/);
      const target = sources.pop() ?? "";
      return { from, sources, target };
    });
}
