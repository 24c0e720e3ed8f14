import { wireParameters } from "../../common/schemas/argumentNames.js";
import { estimateTokens } from "../../common/tokens.js";
import type { ToolRecord } from "../../tools/tool.js";
import { toolLines } from "../chat/toolLines.js";

/** A found tool, with the name that the model is shown. */
export interface NamedTool {
  name: string;
  record: ToolRecord;
}

/** The tool with which a model searches for others. */
export interface Finder {
  name: string;
  description: string;
  parameters: object;
  /** The arguments of the search that was made for the request before the model was asked. */
  first: Record<string, unknown>;
}

/** Tokens that a tool takes when it is bound to a model. */
export function schemaTokens({ name, description, parameters: own }: ToolRecord): number {
  const { parameters } = wireParameters(own);
  return estimateTokens(JSON.stringify({ name, description, parameters }));
}

/** @param options.isBrief cuts long descriptions off */
export function signaturesOf(
  tools: readonly NamedTool[],
  options: { isBrief?: boolean } = {},
): string {
  return toolLines(
    tools.map(({ name, record: { description, parameters, returns } }) => ({
      name,
      description,
      parameters: wireParameters(parameters).parameters,
      ...(returns && { returns }),
    })),
    options,
  );
}
