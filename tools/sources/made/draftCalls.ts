import ts from "typescript";
import { UnknownName } from "../../../common/errors.js";
import { typeText } from "../../../common/schemas/typeText.js";
import { calledTools, type ToolRecord } from "../../tool.js";
import { type CommentTag, type DraftProblem, problemAtNode } from "./draft.js";

export interface CallList {
  tools: ToolRecord[];
  problems: DraftProblem[];
}

/**
 * Reads `@calls id, id`: the only tools the function may call.
 *
 * @param own name of the function: it may call itself directly, but not as a tool
 */
export function readCalls(
  tags: readonly CommentTag[],
  tools: readonly ToolRecord[],
  own: string | undefined,
): CallList {
  const found = new Map<string, ToolRecord>();
  const problems: DraftProblem[] = [];
  for (const { text, line } of tags.filter(({ name }) => name === "calls")) {
    const ids = text.split(/[,\n]/).map((id) => id.trim().replace(/^(["'`])(.*)\1$/, "$2"));
    for (const id of ids.filter(Boolean)) {
      const tool = tools.find((each) => each.id === id);
      const problem = tool === undefined ? unknown(id, tools) : circle(tool, tools, own);
      if (problem !== undefined) problems.push({ problem, line });
      else if (tool !== undefined) found.set(id, tool);
    }
  }
  return { tools: [...found.values()], problems };
}

/** A declaration of `callTool` for the listed tools; empty if there are none. */
export function callToolDeclaration(tools: readonly ToolRecord[]): string {
  if (tools.length === 0) return "";
  const members = tools.map(({ id, parameters, returns }) => {
    const result = returns === undefined ? "unknown" : typeText(returns);
    return `${JSON.stringify(id)}: { args: ${typeText(parameters)}; result: ${result} };`;
  });
  return `interface CallableTools { ${members.join(" ")} }
declare function callTool<Tool extends keyof CallableTools>(
  tool: Tool,
  args: CallableTools[Tool]["args"],
): Promise<CallableTools[Tool]["result"]>;`;
}

/**
 * Uses of `callTool` that cannot be checked or name unlisted tools. The name must be a literal, so that the list shows
 * everything the function can do.
 */
export function callProblems(source: ts.SourceFile, tools: readonly ToolRecord[]): DraftProblem[] {
  const problems: DraftProblem[] = [];
  const visit = (node: ts.Node): void => {
    const problem = ts.isIdentifier(node) && isCallTool(node) ? useProblem(node, tools) : undefined;
    if (problem !== undefined) problems.push(problemAtNode(node, problem));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

function isCallTool(node: ts.Identifier): boolean {
  const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
  return node.text === "callTool" && !isMember;
}

function useProblem(node: ts.Identifier, tools: readonly ToolRecord[]): string | undefined {
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.expression !== node)
    return 'callTool can only be called: await callTool("id", { name: value })';
  const [id] = call.arguments;
  if (id === undefined || !ts.isStringLiteralLike(id))
    return "the first argument of callTool has to be the tool's id as a text, not an expression";
  if (tools.some((tool) => tool.id === id.text)) return undefined;
  const listed = tools.map((tool) => tool.id).join(", ");
  const given = listed === "" ? "the comment has no @calls" : `@calls lists ${listed}`;
  return `"${id.text}" is called, and ${given}; add "@calls ${id.text}" to the comment if there is such a tool`;
}

function unknown(id: string, tools: readonly ToolRecord[]): string {
  const available = tools.map((tool) => tool.id);
  return `@calls: ${new UnknownName({ kind: "tool", wanted: id, available }).message}`;
}

/** A tool calling itself through others would never end. */
function circle(
  tool: ToolRecord,
  tools: readonly ToolRecord[],
  own: string | undefined,
): string | undefined {
  if (tool.id === own) return `@calls: ${tool.id} cannot list itself; call the function directly`;
  const reached = new Set([tool.id]);
  for (const id of reached) {
    const reaching = tools.find((each) => each.id === id);
    for (const called of reaching ? calledTools(reaching) : []) {
      if (called === own) return `@calls: ${tool.id} calls ${own} itself, so it would never end`;
      reached.add(called);
    }
  }
  return undefined;
}
