import { tool as langChainTool } from "@langchain/core/tools";
import { wireParameters } from "../common/schemas/argumentNames.js";
import { estimateTokens } from "../common/tokens.js";
import { toolLines } from "../models/chat/toolLines.js";
import { freeName } from "../tools/library/wireNames.js";
import type { ToolRecord } from "../tools/tool.js";

/** A found tool, with the name that the model is shown. */
export interface NamedTool {
  name: string;
  record: ToolRecord;
}

/**
 * The ids of found tools by the names that the model is shown. Ids are unique in a library, so a name follows from its
 * id alone and does not change when more tools are found. It gets a suffix made from its id only if another id gives
 * the same name or the agent has a tool with that name.
 *
 * @param ids in the order in which they were found
 * @param taken names of the agent's own tools
 */
export function loadedNames(ids: readonly string[], taken: Iterable<string>): Map<string, string> {
  const used = new Set(taken);
  const names = new Map<string, string>();
  for (const id of ids) {
    const name = freeName({ id, name: id, taken: used });
    used.add(name);
    names.set(name, id);
  }
  return names;
}

export function signaturesOf(tools: readonly NamedTool[]): string {
  return toolLines(
    tools.map(({ name, record: { description, parameters, returns } }) => ({
      name,
      description,
      parameters: wireParameters(parameters).parameters,
      ...(returns && { returns }),
    })),
  );
}

/** A tool as the model is shown it. */
export function shownTool({ name, record: { description, parameters } }: NamedTool) {
  const { parameters: schema } = wireParameters(parameters);
  return langChainTool(() => "", { name, description, schema });
}

export function tokensOfTools(tools: readonly NamedTool[]): number {
  return tools.reduce((sum, { record }) => sum + schemaTokens(record), 0);
}

/** Tokens a tool takes when shown to a model. */
export function schemaTokens({ name, description, parameters }: ToolRecord): number {
  return estimateTokens(JSON.stringify({ name, description, parameters }));
}
