import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { isSchema } from "../../common/schemas/referredSchema.js";
import { UnknownName, oneLine } from "../../common/errors.js";
import { expressionsIn, needsNoFunction, textsIn } from "../../plans/language/expressionsIn.js";
import {
  type Program,
  type ProgramIssue,
  phraseOf,
  type Expression,
} from "../../plans/language/program.js";
import { type Settings, readSettings, MOST_REFLECTIONS } from "../../state/settings.js";
import { addUsage, type GraphState, type StateUpdate } from "../../state/state.js";
import { deniesTools } from "../../plans/grounding/words.js";
import { checkProgramTypes, programRead } from "../../tools/calls/compiler/programs.js";
import { insteadText, type ToolGroups } from "../../tools/library/records/groups.js";
import type { ToolRecord } from "../../tools/tool.js";
import { runWorkspace } from "../../home/workspace.js";
import { awayText } from "../policy/outOfReach.js";
import { searchFor, toolsOf } from "../policy/searchFor.js";
import { contentsOf } from "./contents.js";
import { nothingServes } from "./programAnswer.js";
import { issueLines, leaveProgram } from "./programCalls.js";
import { functionOf, programOffer, readingOf } from "./programFunctions.js";
import { issueLine } from "../../plans/language/progress.js";
import { needed, type StageChange, stage } from "../kit/stage.js";
import { fitCall } from "../../plans/steps/fitStep.js";
import { validateArguments } from "../../tools/calls/engine/validateArguments.js";

/**
 * Checks the program of a run against its tools: all must exist, and their arguments and results be used as
 * declared. Faults go back to the model worded like compiler errors, up to the run's limit; a program with
 * unfixed faults is not started.
 */
export function checkProgram() {
  return stage({ ends: true, lines }, async (state, config) => {
    const program = needed(state.program, { stage: "checkProgram", what: "a program" });
    const settings = readSettings(config);
    const checked = await programIssues({ code: program.code, state, settings, config });
    const { issues, program: read } = checked;
    const isVain = checked.isVain && state.calls.length === 0;
    if (read && isVain && program.cues.includes(END_WITH_STOP)) {
      const library = await runWorkspace().library(settings);
      const away = await awayText(library, { ...settings, request: state.run.request });
      return nothingServes(program, state, read.calls.map(phraseOf), away);
    }
    const mayBeAsked = program.cues.length < MOST_REFLECTIONS;
    if (read && issues.length === 0) {
      if (checked.isIdle && mayBeAsked && !program.cues.includes(CALL_FUNCTIONS))
        return { program: { ...program, issues: [IDLE], cues: [...program.cues, CALL_FUNCTIONS] } };
      const further = mayBeAsked && (await lookFurther({ program, read, state, settings }));
      if (further) return further;
      return { program: { ...program, issues: [] } };
    }
    const [first] = issues;
    if (first && !mayBeAsked) {
      const reason = `it still has a fault: ${issueLine(first)}`;
      return leaveProgram({ ...program, issues }, reason);
    }
    return {
      program: { ...program, issues, cues: [...program.cues, isVain ? END_WITH_STOP : ""] },
    };
  });
}

/** A program without calls is asked about once: the model may have worked the answer out in its head. */
const IDLE: ProgramIssue = { line: 1, kind: "language", problem: "it calls no function" };

const CALL_FUNCTIONS =
  "Call the functions that find or do what the answer says. Only if the request needs no function, such as a greeting or thanks: return noFunctionNeeded(`the answer`). If no function fits: stop(`why`).";

/**
 * A program that only says that there is no function, in a library that the model was shown a part of: what it says is
 * missing is searched for, and it is asked once more if that finds functions that it has not seen.
 */
async function lookFurther(options: {
  program: NonNullable<GraphState["program"]>;
  read: Program;
  state: GraphState;
  settings: Settings;
}): Promise<StateUpdate | undefined> {
  const { program, read, state, settings } = options;
  const denial = textsIn(read).find(deniesTools);
  if (denial === undefined || read.calls.length > 0 || program.cues.includes(LOOK_FURTHER))
    return undefined;
  const { library, groups } = await programOffer(state, settings);
  if (contentsOf(library, settings).tells !== "groups") return undefined;
  const queue = [denial, state.run.request].map((phrase) => ({ phrase, depth: 0 }));
  const searching = { state, settings, library };
  const { searches, used } = await searchFor(searching, { queue, purpose: "phrase" });
  const unseen = toolsOf(searches).filter((id) => !state.toolIds.includes(id));
  const tools = [...library.pick(unseen.slice(0, settings.topK)).values()];
  if (tools.length === 0) return undefined;
  const problem = `it says that there is no function, and you had not seen ${tools.map(groups.functionName).join(", ")}`;
  const issues: ProgramIssue[] = [{ line: 1, kind: "language", problem }];
  return {
    program: { ...program, issues, cues: [...program.cues, LOOK_FURTHER] },
    toolIds: [...state.toolIds, ...tools.map(({ id }) => id)],
    searches: [...state.searches, ...searches],
    usage: addUsage(state.usage, used),
  };
}

const LOOK_FURTHER =
  "Use one of these if it fits. If none does, end with stop(`why`), and do not say that there is none.";

/** A program of nothing but functions that the library lacks is asked about once; the same again would go on for ever. */
const END_WITH_STOP =
  "Call functions of the library. If none does what is asked, the whole program is stop(`what is missing`).";

/** A program as read, and what prevents running it with the available tools. */
interface CheckedProgram {
  program?: Program;
  /** The tools it calls, by the names it uses. */
  tools: ReadonlyMap<string, ToolRecord>;
  issues: ProgramIssue[];
  /** Whether it calls none of the functions that there are, and asks for no other. */
  isIdle?: boolean;
  /** Whether it calls nothing but what no function is called, in any group. */
  isVain?: boolean;
}

/** Reads the program of a run and checks it against the tools on offer. */
export async function programIssues(options: {
  code: string;
  state: GraphState;
  settings: Settings;
  config: LangGraphRunnableConfig;
}): Promise<CheckedProgram> {
  const { code, state, settings, config } = options;
  const { functions, groups } = await programOffer(state, settings);
  const { toolIds } = settings;
  const { signal } = config;
  const checked = await checkedProgram({ code, functions, groups, toolIds, signal });
  const isUnknown = checked.issues.some(({ kind }) => kind === "unknown");
  const called = checked.program?.calls ?? [];
  // "gh.commit" is a slip for "git.commit".
  const isNear = ({ name }: { name: string }) => groups.namesakes(name).length > 0;
  const isVain = isUnknown && checked.tools.size === 0 && !called.some(isNear);
  return { ...checked, isVain };
}

/** As {@link programIssues}, for the functions that a program may call by their names. */
export async function checkedProgram(options: {
  code: string;
  functions: ReadonlyMap<string, ToolRecord>;
  groups: ToolGroups;
  /** The tools that may be called; all by default. */
  toolIds?: readonly string[];
  signal?: AbortSignal;
}): Promise<CheckedProgram> {
  const { code, functions, groups, toolIds, signal } = options;
  const read = await programRead(code, readingOf(functions, groups), signal);
  if ("issues" in read) return { tools: new Map(), issues: read.issues };
  const { program } = read;
  const tools = new Map(
    program.calls.flatMap(({ name }): [string, ToolRecord][] => {
      const tool = functionOf(name, functions, groups);
      return tool ? [[name, tool]] : [];
    }),
  );
  const available = [...functions.keys()];
  const unknown = program.calls
    .filter(({ name }) => !tools.has(name))
    .map(({ name, line }): ProgramIssue => {
      const { message } = new UnknownName({ kind: "function", wanted: name, available });
      const instead = insteadText(name, groups, toolIds);
      return { line, kind: "unknown", problem: instead || `${message}; no tool was found for it` };
    });
  if (unknown.length > 0) return { program, tools, issues: unknown };
  const called = [...tools].map(([name, { parameters, returns }]) => ({
    name,
    parameters,
    ...(returns ? { returns } : {}),
  }));
  const types = await checkProgramTypes({ program, functions: called, signal });
  const literals = literalIssues(program, tools);
  const issues = [
    ...types.map((issue) => withTakers(issue, { program, tools, functions })),
    ...literals.filter(({ line }) => !types.some((issue) => issue.line === line)),
  ];
  const isIdle =
    functions.size > 0 &&
    program.calls.length === 0 &&
    // A program may say that nothing can be done; `need` and `look` are answered later.
    !program.body.some(({ kind }) => kind === "throw") &&
    !needsNoFunction(program) &&
    !expressionsIn(program).some(({ kind }) => kind === "need" || kind === "look");
  return { program, tools, issues, isIdle };
}

/** Most functions that are told as those that take what another was given. */
const MOST_TAKERS = 3;

/** A fault, with the functions that take just the arguments that another was given: their name was a slip. */
function withTakers(
  issue: ProgramIssue,
  options: Pick<CheckedProgram, "tools"> & {
    program: Program;
    functions: ReadonlyMap<string, ToolRecord>;
  },
): ProgramIssue {
  const { program, tools, functions } = options;
  for (const { name, given, line } of program.calls) {
    const tool = tools.get(name);
    if (line !== issue.line || given.length === 0 || !tool || takes(tool, given)) continue;
    const takers = [...functions].filter(([, other]) => takes(other, given)).map(([key]) => key);
    if (takers.length === 0 || takers.length > MOST_TAKERS) continue;
    return {
      ...issue,
      problem: `${issue.problem} The arguments you gave are those of ${takers.join(", ")}.`,
    };
  }
  return issue;
}

function takes({ parameters }: ToolRecord, given: readonly string[]): boolean {
  const { properties, required = [] } = parameters;
  return (
    given.every((name) => isSchema(properties) && name in properties) &&
    required.every((name) => given.includes(name))
  );
}

function lines({ change: { program } }: StageChange): string[] {
  const left = program?.left;
  return [...issueLines(program), ...(left ? [`leaves the program: ${oneLine(left)}`] : [])];
}

/** What arguments that stand in a program break of the schemas of its tools: a format, a pattern, a bound. */
export function literalIssues(program: Program, tools: ReadonlyMap<string, ToolRecord>) {
  return expressionsIn(program).flatMap((part): ProgramIssue[] => {
    const record = part.kind === "tool" ? tools.get(part.name) : undefined;
    if (part.kind !== "tool" || !record) return [];
    const { args: given, alone, name, line } = part;
    const [fields] = given?.kind === "record" ? fieldsIn(given.fields) : [];
    const value = fields ?? (given && valueOf(given));
    const known = fields ?? (alone && value !== undefined ? { [alone]: value } : {});
    if (Object.keys(known).length === 0) return [];
    const { step } = fitCall(record, known);
    const check = validateArguments({ record, args: step.args, isPart: true });
    return check.ok ? [] : [{ line, kind: "type", problem: `${name}: ${check.problem}` }];
  });
}

/** The value that an expression states; undefined for any other. */
function valueOf(part: Expression): unknown {
  if (part.kind === "literal") return part.value;
  if (part.kind === "unary" && part.operator === "-") {
    const value = valueOf(part.value);
    return typeof value === "number" ? -value : undefined;
  }
  if (part.kind === "record") {
    const [fields, isWhole] = fieldsIn(part.fields);
    return isWhole ? fields : undefined;
  }
  if (part.kind !== "list") return undefined;
  const items = part.items.map((item) => ("spread" in item ? undefined : valueOf(item)));
  return items.includes(undefined) ? undefined : items;
}

/** The fields whose values stand there, unless a spread may replace them, and whether these are all. */
function fieldsIn(fields: Extract<Expression, { kind: "record" }>["fields"]) {
  const last = fields.findLastIndex((field) => "spread" in field);
  const known = fields.slice(last + 1).flatMap((field): [string, unknown][] => {
    if ("spread" in field || typeof field.key !== "string") return [];
    const value = valueOf(field.value);
    return value === undefined ? [] : [[field.key, value]];
  });
  return [Object.fromEntries(known), known.length === fields.length] as const;
}
