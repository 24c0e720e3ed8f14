import { wireParameters } from "../../common/schemas/argumentNames.js";
import { estimateTokens } from "../../common/tokens.js";
import type { ToolRecord } from "../../tools/tool.js";
import { toolLines } from "../chat/toolLines.js";
import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";

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

export function isFind(message: BaseMessage, { name }: Finder): message is ToolMessage {
  return ToolMessage.isInstance(message) && message.name === name;
}

/** What is said of queries that found no tool. */
export function unmet({ artifact, text, status }: ToolMessage): string {
  if (status === "error") return text;
  const said = isObject(artifact) ? artifact["unmet"] : undefined;
  return typeof said === "string" ? said : "";
}

export function callIdOf({ id = "" }: BaseMessage): string {
  return `find_${id.replaceAll(/[^\w-]/g, "_").slice(0, LONGEST_CALL_ID)}`;
}

const LONGEST_CALL_ID = 59;
