import type {
  Demonstration,
  DemonstrationQuestion,
} from "../../../memory/demonstrations/demonstrationStore.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";

/** A demonstration of the sub-task level with one call of `add`, and what a test changes of it. */
export function demonstration(changes: Partial<Demonstration> = {}): Demonstration {
  return {
    library: "math",
    task: "add two numbers",
    calls: [{ tool: "add", args: { a: 1, b: 2 }, result: 3 }],
    level: "subtask",
    source: "file",
    at: 1_700_000_000_000,
    ...changes,
  };
}

/** A call without a known result. */
export function callOf(tool: string): Demonstration["calls"][number] {
  return { tool, args: {} };
}

/** The default question of tests. */
export function demonstrationQuestion(
  changes: Partial<DemonstrationQuestion> = {},
): DemonstrationQuestion {
  return {
    library: "math",
    query: "add two numbers",
    available: new Set(["add", "subtract", "multiply"]),
    retrieved: ["add", "subtract", "multiply"],
    threshold: 0.75,
    count: 2,
    embeddings: { name: "words:hashed", embeddings: wordEmbeddings({ dimensions: 512 }) },
    ...changes,
  };
}
