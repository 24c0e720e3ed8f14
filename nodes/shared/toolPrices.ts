import { tariff } from "../../state/budget/tariff.js";
import type { Settings } from "../../state/settings.js";
import { estimateTokens } from "../../tools/library/vectors/embedding.js";
import type { ToolRecord } from "../../tools/tool.js";
import { runWorkspace } from "../workspace/workspace.js";

/**
 * Cost of a call of each tool in units: as declared, or including the tokens and time measured in past calls
 * (setting `pricing`).
 */
export async function pricesOf(options: {
  settings: Pick<Settings, "pricing" | "library">;
  tools: readonly ToolRecord[];
}): Promise<Record<string, number>> {
  const { settings, tools } = options;
  const pricesAre = await pricing(settings, tools);
  return pricesAre(tools);
}

/**
 * Loads what `pricesOf` needs; the returned function then gives prices without waiting.
 *
 * @param tools the tools whose prices will be wanted; default: all of the library
 */
export async function pricing(
  settings: Pick<Settings, "pricing" | "library">,
  tools?: readonly ToolRecord[],
): Promise<(tools: readonly ToolRecord[]) => Record<string, number>> {
  const { pricing: kind, library } = settings;
  const ids = tools?.map(({ id }) => id);
  const measures =
    kind === "measured" && ids?.length !== 0
      ? await runWorkspace().experience().measures({ library, tools: ids })
      : [];
  return (asked) =>
    tariff({
      pricing: kind,
      tools: asked.map((tool) => ({ ...tool, schemaTokens: schemaTokens(tool) })),
      measures,
    });
}

/** Tokens a tool takes when shown to a model. */
export function schemaTokens({ name, description, parameters }: ToolRecord): number {
  return estimateTokens([JSON.stringify({ name, description, parameters })]);
}
