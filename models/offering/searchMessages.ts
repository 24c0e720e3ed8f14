import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";
import type { Finder } from "./namedTools.js";

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
