import { UnknownName } from "../../common/errors.js";
import { registerChatProvider } from "../../models/providers.js";
import type { Task } from "../benchmarks/benchmark.js";
import { type Gold, goldOf } from "./goldSteps.js";

/** What tasks need, by their requests: of all experiments of this process. */
const golds = new Map<string, Gold>();

/**
 * Registers the provider `simulated`; its models are loaded when opened.
 *
 * @param tasks whose gold calls `simulated:gold` is to know
 */
export function registerSimulated(tasks: readonly Task[] = []): void {
  for (const task of tasks) {
    const gold = goldOf(task);
    if (gold) golds.set(task.query, gold);
  }
  registerChatProvider("simulated", {
    structuredReplies: "stage",
    makeChat: async (model, { seed }) => {
      if (model === "policy") return (await import("./policy.js")).simulatedPolicy({ seed });
      if (model === "gold") {
        const goldOfRequest = (request: string) => golds.get(request);
        return (await import("./gold.js")).simulatedGold({ seed, goldOf: goldOfRequest });
      }
      if (model === "values")
        return (await import("./values.js")).simulatedValues((request) => golds.get(request));
      const available = ["gold", "policy", "values"];
      throw new UnknownName({ kind: "simulated model", wanted: model, available });
    },
  });
}
