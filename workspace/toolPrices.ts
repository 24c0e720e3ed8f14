import { tariff } from "../budget/tariff.js";
import type { Context } from "../state/context.js";
import { estimateTokens } from "../tools/library/embedding.js";
import type { ToolRecord } from "../tools/tool.js";
import { runWorkspace } from "./workspace.js";

/**
 * Cost of a call of each tool in units: as declared, or including the tokens and time measured in past calls
 * (setting `pricing`).
 */
export function pricesOf(options: {
  context: Pick<Context, "pricing" | "library">;
  tools: readonly ToolRecord[];
}): Record<string, number> {
  const { context, tools } = options;
  const { pricing, library } = context;
  const ids = tools.map(({ id }) => id);
  return tariff({
    pricing,
    tools: tools.map((tool) => ({ ...tool, schemaTokens: schemaTokens(tool) })),
    measures:
      pricing === "measured" && ids.length > 0
        ? runWorkspace().experience().measures({ library, tools: ids })
        : [],
  });
}

/** Tokens a tool takes when shown to a model. */
export function schemaTokens({ name, description, parameters }: ToolRecord): number {
  return estimateTokens([JSON.stringify({ name, description, parameters })]);
}
