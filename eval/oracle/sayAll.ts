import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_WORLDS } from "../../workspace/workspace.js";
import { createToolRuntime } from "../../tools/runtime/runtime.js";
import { worldsOf } from "../runs/beginWorld.js";
import { saySolution, type Verdict } from "./sayable.js";
import type { Solution } from "./goldSolutions.js";
import type { Subject } from "./subject.js";

/** Characters of a result that are kept whole: programs are given whole results. */
const MOST_CHARACTERS = 10_000_000;

/** Says solutions of a benchmark as programs, with its own tools or with seeded results in their place. */
export async function sayAll(options: {
  subject: Subject;
  solutions: readonly Solution[];
}): Promise<Verdict[]> {
  const { subject, solutions } = options;
  const home = mkdtempSync(join(tmpdir(), "tulipgraph-sayable-"));
  const worlds = (await worldsOf(subject.benchmark)) ?? DEFAULT_WORLDS;
  const runtime = createToolRuntime({ home, worlds, maxResultChars: MOST_CHARACTERS });
  try {
    const verdicts: Verdict[] = [];
    for (const solution of solutions) verdicts.push(await saySolution({ solution, runtime }));
    return verdicts;
  } finally {
    await runtime.close();
    rmSync(home, { recursive: true, force: true });
  }
}
