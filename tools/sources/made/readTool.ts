import type ts from "typescript";
import { GENERATED_ORIGIN } from "../../library/records/edits.js";
import type { ExportedFunction } from "../functions/exports.js";
import { type FunctionReading, type FunctionTool, readFunction } from "../functions/functions.js";
import { isUndefined } from "../functions/unions.js";
import type { SourceProblem, GeneratedTool } from "../../tool.js";
import type { CallList } from "./draftCalls.js";
import { type CommentTag, type DraftProblem, problemAtNode } from "./draft.js";
import { type DraftProgram, exportedCode, programOf, typeProblems } from "./draftProgram.js";
import { type ExamplesReading, readExamples } from "./readExamples.js";

/** A draft as a tool, or all problems of its types, comment and examples. */
type ToolReading = { tool: GeneratedTool } | { problems: DraftProblem[] };

/** A function of the right form, with what has been read so far. */
interface FormedDraft {
  draft: DraftProgram;
  declaration: ts.FunctionDeclaration;
  tags: readonly CommentTag[];
  calls: CallList;
}

/** Reads the function of a draft like any other, and its examples as checks. */
export function readTool(formed: FormedDraft): ToolReading {
  const { draft, declaration, tags, calls } = formed;
  const exported = exportOf(formed);
  const reading = readFunction({ exported, source: draft, file: GENERATED_ORIGIN });
  const { tool } = reading;
  if (tool === undefined) throw new Error("a draft without a name has passed the rules");
  const { parameterNames, callStyle, rest = false } = tool.source;
  const called = { name: tool.name, parameters: tool.parameters, parameterNames, callStyle, rest };
  const line = lineOf(declaration);
  const signatureProblems = signatureRules(formed, exported, reading);
  const { checks, texts, problems } =
    reading.signatureProblems.length > 0
      ? { checks: [], texts: [], problems: [] }
      : readExamples({ tags, called, mayCall: calls.tools.length > 0, line });
  const found = [...signatureProblems, ...docProblems(tags, reading, line), ...problems];
  return found.length > 0
    ? { problems: found }
    : { tool: generatedTool(formed, tool, { texts, checks }) };
}

/** The function as an export, even if the model has not exported it. */
function exportOf({ draft: { checker }, declaration }: FormedDraft): ExportedFunction {
  const signature = checker.getSignatureFromDeclaration(declaration);
  if (signature === undefined) throw new Error("TypeScript gives a function no signature");
  const name = declaration.name?.text;
  return {
    exportName: name ?? "default",
    name,
    declarations: [declaration],
    signature,
  };
}

function signatureRules(
  { draft, declaration }: FormedDraft,
  { signature }: ExportedFunction,
  { tool, signatureProblems }: FunctionReading,
): DraftProblem[] {
  const errors = typeProblems(draft);
  const isNew = ({ line }: SourceProblem): boolean => errors.every((error) => error.line !== line);
  const all = [
    ...errors,
    ...signatureProblems.filter(isNew).map(({ line, problem }) => ({ line, problem })),
  ];
  if (all.length > 0) return all;
  const line = lineOf(declaration);
  if (tool?.source.takesContext === true)
    return [{ problem: "no ToolContext: call other tools with callTool and @calls", line }];
  if (JSON.stringify(tool?.parameters).includes(DATE)) {
    const problem = "a Date cannot be passed; take a string, as 2024-05-01T12:00:00Z, and parse it";
    return [{ problem, line }];
  }
  const { checker } = draft;
  const promised = checker.getReturnTypeOfSignature(signature);
  const result = checker.getAwaitedType(promised) ?? promised;
  if (tool?.returns !== undefined || isUndefined(result)) return [];
  const problem = `JSON cannot carry a result of type ${checker.typeToString(result)}, or its schema is too large; return plain data`;
  return [problemAtNode(declaration.type ?? declaration, problem)];
}

/** The schema of a `Date`, which arguments in JSON cannot contain. */
const DATE = '"format":"date-time"';

function docProblems(
  tags: readonly CommentTag[],
  { docProblems: problems, tool }: FunctionReading,
  line: number,
): DraftProblem[] {
  const forbidden = tagProblems(tags);
  const others = problems
    .filter((problem) => forbidden.every((tag) => tag.line !== problem.line))
    .map(({ problem, line: at }): DraftProblem => ({ problem, line: at }));
  return [...forbidden, ...others, ...(tool ? descriptionProblems(tool, line) : [])];
}

/** Characters. Descriptions are part of every search and every prompt. */
const LONGEST_DESCRIPTION = 1_000;
const LONGEST_PARAMETER_TEXT = 500;

/** Settings of a tool that only people may make. */
const SET_BY_LIBRARY = ["name", "effects", "cost", "timeout", "approval"];

/** Tags that a model may not set. */
function tagProblems(tags: readonly CommentTag[]): DraftProblem[] {
  return tags
    .filter(({ name }) => SET_BY_LIBRARY.includes(name))
    .map(({ name, line }) => ({ problem: `@${name} is set by the library; leave it out`, line }));
}

/** What the function's comment lacks, or says at too great length. */
function descriptionProblems(
  { description, parameters }: FunctionTool,
  line: number,
): DraftProblem[] {
  const problems: string[] = [];
  if (description.length > LONGEST_DESCRIPTION) {
    const length = description.length;
    problems.push(
      `the description has ${length} characters; at most ${LONGEST_DESCRIPTION}, one or two sentences are best`,
    );
  }
  for (const [name, { description: text }] of Object.entries(parameters.properties)) {
    if (typeof text !== "string" || text.trim() === "") {
      problems.push(`parameter "${name}" has no description; add "@param ${name} …"`);
    } else if (text.length > LONGEST_PARAMETER_TEXT) {
      problems.push(
        `the description of parameter "${name}" has ${text.length} characters; at most ${LONGEST_PARAMETER_TEXT}`,
      );
    }
  }
  return problems.map((problem) => ({ problem, line }));
}

function generatedTool(
  { declaration, calls }: FormedDraft,
  tool: FunctionTool,
  examples: Pick<ExamplesReading, "texts" | "checks">,
): GeneratedTool {
  const { id, name, description, parameters, returns, source } = tool;
  const writes = calls.tools.some(({ effects }) => effects === "write");
  return {
    id,
    name,
    description,
    parameters,
    ...(returns !== undefined ? { returns } : {}),
    source: {
      kind: "generated",
      file: GENERATED_ORIGIN,
      code: exportedCode(declaration),
      program: programOf(declaration, tool),
      exportName: name,
      parameterNames: source.parameterNames,
      ...(source.rest === true ? { rest: true } : {}),
      calls: calls.tools.map((called) => called.id),
      checks: examples.checks,
    },
    effects: writes ? "write" : "read",
    examples: examples.texts,
  };
}

function lineOf(declaration: ts.FunctionDeclaration): number {
  const source = declaration.getSourceFile();
  return source.getLineAndCharacterOfPosition(declaration.getStart(source)).line + 1;
}
