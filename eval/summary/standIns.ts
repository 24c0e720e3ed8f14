import { OFFLINE_MODEL } from "../../state/settings.js";
import { SIMULATED_GOLD, SIMULATED_POLICY } from "../simulated/policyParameters.js";

/** What a reader must know of figures of models that are not language models. */
const STAND_INS: Readonly<Record<string, string>> = {
  [OFFLINE_MODEL]:
    "Figures of the offline planner, which is not a language model: they say how the graphs work, not how well a model does.",
  [SIMULATED_GOLD]:
    "Figures of simulated:gold, which is not a language model: it knows the gold calls, uses only the tools that a graph shows it, and does one step in 20 with a wrong tool. They say what the graphs find and cost, not how well a model does. Dollars are at the price of gpt-4.1-mini.",
  [SIMULATED_POLICY]:
    "Figures of simulated:policy, which is not a language model: it chooses tools by their descriptions and errs at stated rates. They say how the graphs work, not how well a model does.",
};

/** The sentences for the stand-ins among these models. */
export function standInsAmong(models: readonly string[]): string[] {
  return [...new Set(models)].flatMap((model) => STAND_INS[model] ?? []);
}

/** Whether a model is none that learned language. */
export function isStandIn(model: string): boolean {
  return Object.hasOwn(STAND_INS, model);
}
