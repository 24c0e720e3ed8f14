import { z } from "zod";

/** What becomes of a call into which such data would go. */
const decision = z.enum(["allow", "ask", "refuse"]);
export type FlowDecision = z.infer<typeof decision>;

const targets = z.strictObject({ outward: decision.optional(), write: decision.optional() });

/** A file of rules: what it leaves out is as it ships. */
export const flowRulesSchema = z.strictObject({
  private: targets.optional(),
  foreign: targets.optional(),
});

/** Data that rules speak of, by the label of the tool that it comes from. */
export type FlowFrom = "private" | "foreign";

/** Where it would go: into what a tool sends out, or into what a tool writes. */
export type FlowTo = "outward" | "write";

export type FlowRules = Record<FlowFrom, Record<FlowTo, FlowDecision>>;

/** Private data leaves, and text from outside is written, only where a person has agreed. */
export const DEFAULT_FLOW_RULES: FlowRules = {
  private: { outward: "ask", write: "allow" },
  foreign: { outward: "allow", write: "ask" },
};

/** Rules with what they leave out filled in. */
export function filledRules(given: z.infer<typeof flowRulesSchema>): FlowRules {
  return {
    private: { ...DEFAULT_FLOW_RULES.private, ...defined(given.private) },
    foreign: { ...DEFAULT_FLOW_RULES.foreign, ...defined(given.foreign) },
  };
}

function defined(given: z.infer<typeof targets> = {}): Partial<Record<FlowTo, FlowDecision>> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
