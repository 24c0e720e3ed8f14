import type ts from "typescript";
import { ownComment } from "../functions/docs.js";
import type { ExampleCheck, ToolRecord, GeneratedTool } from "../../tool.js";
import { callProblems, callToolDeclaration, readCalls } from "./draftCalls.js";
import {
  commentTags,
  type DraftProblem,
  type DraftReading,
  failedDraft,
  problemAtNode,
} from "./draft.js";
import { openDraft, parseDraft, syntaxProblems } from "./draftProgram.js";
import { extractCode } from "./extract.js";
import { argumentsProblem, sameCall, sameResult } from "./readExamples.js";
import { readTool } from "./readTool.js";
import { readForm } from "./draftForm.js";

/** Characters; longer code costs the compiler and the next prompt too much. */
const LONGEST_CODE = 20_000;

/** A model's reply, and the library it must fit into. */
export interface DraftRequest {
  reply: string;
  /** The library's tools: taken names, and what can be called. */
  tools: readonly ToolRecord[];
  /** For an update: the name, which must stay. */
  name?: string;
  /** Names that no tool may have. */
  reserved: readonly string[];
  /** For an update: the previous version's checks. */
  earlier?: readonly ExampleCheck[];
}

/**
 * Reads a reply as a tool: extracts its code, checks it against the rules, parses and type-checks it in memory, reads
 * its function like any other, and turns its examples into checks. Nothing is executed.
 *
 * Loads the TypeScript compiler; import this module only to read a draft.
 */
export function readDraft(request: DraftRequest): DraftReading {
  const { code, secondFunctionAt } = extractCode(request.reply);
  if (code === "")
    return failedDraft({ problem: "there is no code; write one function in TypeScript" });
  if (code.length > LONGEST_CODE)
    return failedDraft({
      problem: `the code has ${code.length} characters; at most ${LONGEST_CODE}`,
    });
  if (secondFunctionAt !== undefined) {
    const problem = "there are functions in several blocks; give exactly one function in one block";
    return failedDraft({ problem, line: secondFunctionAt, column: 1 });
  }
  try {
    const reading = readCode({ ...request, code });
    return "problems" in reading ? failedDraft(...reading.problems) : { ok: true, ...reading };
  } catch (error) {
    // The compiler is recursive, so deep nesting exhausts the stack.
    if (!(error instanceof RangeError)) throw error;
    return failedDraft({ problem: "the code is nested too deep to be read" });
  }
}

type CodeReading = { tool: GeneratedTool; restated: ExampleCheck[] } | { problems: DraftProblem[] };

function readCode(request: DraftRequest & { code: string }): CodeReading {
  const { code, tools, name, earlier = [] } = request;
  // The calls listed in the comment are needed to open the program.
  const written = readForm(parseDraft(code)).declaration;
  const comment = written && ownComment(written);
  const tags = comment === undefined ? [] : commentTags(comment);
  const calls = readCalls(tags, tools, name ?? written?.name?.text);
  const draft = openDraft(code, callToolDeclaration(calls.tools));
  const syntax = syntaxProblems(draft);
  if (syntax.length > 0) return { problems: syntax };
  const { declaration, problems } = readForm(draft.source);
  const formProblems = [
    ...problems,
    ...(declaration ? nameProblems(declaration, request) : []),
    ...calls.problems,
    ...callProblems(draft.source, calls.tools),
  ];
  if (formProblems.length > 0 || declaration === undefined) return { problems: formProblems };
  const reading = readTool({ draft, declaration, tags, calls });
  return "problems" in reading ? reading : withEarlierChecks(reading.tool, earlier);
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

function nameProblems(declaration: ts.FunctionDeclaration, request: DraftRequest): DraftProblem[] {
  const { name } = declaration;
  const problem = name === undefined ? "the function has no name" : nameProblem(name.text, request);
  if (problem === undefined) return [];
  return [problemAtNode(name ?? declaration, problem)];
}

function nameProblem(
  name: string,
  { tools, name: kept, reserved }: DraftRequest,
): string | undefined {
  if (kept !== undefined)
    return name === kept ? undefined : `the name of an updated tool stays: ${kept}, not ${name}`;
  if (!NAME.test(name))
    return `"${name}" cannot be a tool's name; use at most 64 letters A to Z, digits and _, the first no digit`;
  if (reserved.includes(name) || name === "callTool")
    return `"${name}" is reserved; choose another name`;
  if (Object.hasOwn(globalThis, name))
    return `"${name}" is a global of JavaScript; choose another name`;
  return tools.some((tool) => tool.id === name || tool.name === name)
    ? `a tool named "${name}" exists; choose another name, or change that one with update_tool`
    : undefined;
}

/**
 * Adds the previous version's checks to a new version, which must pass them too. It gives up (`restated`) those for
 * which it states another result, and those whose arguments it no longer accepts.
 */
function withEarlierChecks(tool: GeneratedTool, earlier: readonly ExampleCheck[]): CodeReading {
  const own = tool.source.checks;
  const restated: ExampleCheck[] = [];
  const kept: ExampleCheck[] = [];
  for (const check of earlier) {
    const stated = own.find((candidate) => sameCall(candidate, check));
    if (stated === undefined) {
      const fits = argumentsProblem(check.args, tool) === undefined;
      (fits ? kept : restated).push(check);
    } else if (!sameResult(stated, check)) restated.push(check);
  }
  return { tool: { ...tool, source: { ...tool.source, checks: [...own, ...kept] } }, restated };
}
