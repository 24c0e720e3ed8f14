import { z } from "zod";

/** What happens to a call that such data would go into. */
const decision = z.enum(["allow", "ask", "refuse"]);
export type FlowDecision = z.infer<typeof decision>;

/** Where data would go: into what a tool sends out or writes. */
const targets = (outward: FlowDecision, write: FlowDecision) =>
  z
    .strictObject({ outward: decision.default(outward), write: decision.default(write) })
    .prefault({});

/**
 * A file of rules for data, by the label of the tool it comes from. Sending private data out and writing text from outside
 * needs a person's consent unless a rule says otherwise.
 */
export const flowRulesSchema = z.strictObject({
  private: targets("ask", "allow"),
  foreign: targets("allow", "ask"),
});

export type FlowRules = z.output<typeof flowRulesSchema>;
export type FlowFrom = keyof FlowRules;
export type FlowTo = keyof FlowRules[FlowFrom];

export const DEFAULT_FLOW_RULES = flowRulesSchema.parse({});
