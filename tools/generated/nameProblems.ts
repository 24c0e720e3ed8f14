import type ts from "typescript";
import type { ToolRecord } from "../tool.js";
import type { DraftProblem } from "./draft.js";
import { problemAtNode } from "./place.js";

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * What is wrong with the name of a draft's function.
 *
 * @param request.name the name that an update must keep
 * @param request.reserved names that no tool may have
 */
export function nameProblems({
  declaration,
  tools,
  name: kept,
  reserved,
}: {
  declaration: ts.FunctionDeclaration;
  tools: readonly Pick<ToolRecord, "id" | "name">[];
  name?: string | undefined;
  reserved: readonly string[];
}): DraftProblem[] {
  const { name } = declaration;
  const node = name ?? declaration;
  const problem =
    name === undefined
      ? "the function has no name"
      : obstacle({ name: name.text, tools, kept, reserved });
  return problem === undefined ? [] : [problemAtNode(node, { kind: "name", problem })];
}

function obstacle({
  name,
  tools,
  kept,
  reserved,
}: {
  name: string;
  tools: readonly Pick<ToolRecord, "id" | "name">[];
  kept: string | undefined;
  reserved: readonly string[];
}): string | undefined {
  if (kept !== undefined) {
    return name === kept ? undefined : `the name of an updated tool stays: ${kept}, not ${name}`;
  }
  if (!NAME.test(name)) {
    return `"${name}" cannot be a tool's name; use at most 64 letters A to Z, digits and _, the first no digit`;
  }
  if (reserved.includes(name) || name === "callTool") {
    return `"${name}" is reserved; choose another name`;
  }
  if (Object.hasOwn(globalThis, name)) {
    return `"${name}" is a global of JavaScript; choose another name`;
  }
  return tools.some((tool) => tool.id === name || tool.name === name)
    ? `a tool named "${name}" exists; choose another name, or change that one with update_tool`
    : undefined;
}
