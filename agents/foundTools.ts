import { tool as langChainTool } from "@langchain/core/tools";
import { wireParameters } from "../common/schemas/argumentNames.js";
import { estimateTokens } from "../common/tokens.js";
import { LEAST_CACHED } from "../models/prices.js";
import { type NamedTool, schemaTokens, signaturesOf } from "../models/offering/namedTools.js";
import { freeName } from "../tools/library/wireNames.js";
import type { Toolbox } from "./toolbox.js";

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

/** A tool as the model is shown it. */
export function shownTool({ name, record: { description, parameters } }: NamedTool) {
  const { parameters: schema } = wireParameters(parameters);
  return langChainTool(() => "", { name, description, schema });
}

export function tokensOfTools(tools: readonly NamedTool[]): number {
  return tools.reduce((sum, { record }) => sum + schemaTokens(record), 0);
}

/** By toolbox, which may have a part of its library alone; kept until the tools change, so that requests begin alike. */
const TOLD = new WeakMap<Toolbox, { groups: object; told: string }>();

/**
 * What every request tells of the tools, so that most need no search: the library's contents, with signatures of some tools
 * if only these make what requests begin with long enough to be cached. Cached tokens cost a tenth. Empty if nothing does.
 */
export function toldTools(toolbox: Toolbox, all: () => readonly NamedTool[]): string {
  const groups = toolbox.groups();
  const kept = TOLD.get(toolbox);
  if (kept?.groups === groups) return kept.told;
  const told = toldOf(toolbox.contents().text, all);
  TOLD.set(toolbox, { groups, told });
  return told;
}

function toldOf(contents: string, all: () => readonly NamedTool[]): string {
  const lacking = LEAST_CACHED - OTHERS - estimateTokens(contents);
  if (lacking <= 0) return contents;
  const lines: string[] = [];
  for (const tool of all()) {
    if (estimateTokens(lines) >= lacking) break;
    lines.push(signaturesOf([tool]));
  }
  return estimateTokens(lines) < lacking ? "" : [contents, ...lines].join("\n");
}

/** At least as many tokens have the agent's other tools: find_tools, and what stands around it. */
const OTHERS = 150;
