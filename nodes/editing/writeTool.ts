import { callSignatureText, signatureText } from "../../models/chat/toolLines.js";
import { type Settings, readSettings } from "../../state/settings.js";
import type { Edit, GraphState } from "../../state/state.js";
import type { LibraryView } from "../../tools/library/library.js";
import { runWorkspace } from "../../home/workspace.js";
import { earlierTurnsText, listed } from "../kit/promptTexts.js";
import { toolView } from "../policy/modelView.js";
import { needed, type Line, type StageChange, stage } from "../kit/stage.js";
import { type Paragraphs, type Question, askFor } from "../kit/question.js";
import { runBasics } from "../kit/runBasics.js";
import type { OfferedTool, RunBasics } from "../kit/stageInputs.js";

export interface WriteToolInput extends RunBasics {
  task: string;
  /** The tool to rewrite: its code, and example calls it must still pass. */
  current?: { name: string; code: string; examples: string[] };
  /** Tools that do something similar; if one does the task, it is used instead. */
  similar: OfferedTool[];
  callable: OfferedTool[];
  failed?: { draft: string; problem: string };
}

/** The tool that shows the form; like every tool, it must pass its own examples. */
export const EXAMPLE_TOOL = `/**
 * Body mass index of a person.
 * @param mass Mass in kg, more than 0.
 * @param height Height in m, more than 0.
 * @returns the index in kg/m²
 * @example body_mass_index(80, 2) => 20
 * @example body_mass_index(80, 0) => throws
 */
export function body_mass_index(mass: number, height: number): number {
  if (!(mass > 0 && height > 0)) {
    throw new Error(\`mass and height must be more than 0, not \${mass} and \${height}\`);
  }
  return mass / height ** 2;
}`;

/**
 * Asks for the code of a new tool, or of a new version of one (Tulip Agent: AutoTulip). The reply is plain text with
 * the function in one fenced block, or the line `USE: name` for a tool that already does the task. An unusable draft is
 * shown again with its faults and their places; the reference showed neither, so mistakes could recur.
 */
export const writeToolQuestion: Question<"writeTool", WriteToolInput, string> = {
  stage: "writeTool",
  once: true,
  instructions: ({ current, similar, callable }) => [
    "Write a TypeScript function for an agent to call as a tool, in this form:",
    fenced(EXAMPLE_TOOL),
    rulesText(callable.length > 0),
    callable.length > 0 && callableText(callable),
    current ? CHANGING : NAMING,
    similar.length > 0
      ? "If a similar tool does the task, reply only `USE: name`; otherwise the whole function in one ```ts block."
      : "Reply with the whole function in one ```ts block.",
  ],
  task: ({ request, earlierTurns, task, current, similar, failed }) => [
    earlierTurnsText(earlierTurns),
    request !== task && `The request that needs the tool: ${request}`,
    ...(current ? changeParagraphs(task, current) : [`Write a tool for this: ${task}`]),
    similar.length > 0 &&
      listed(
        "Similar tools of the library, which may or may not do it:",
        similar.map((tool) => `${signatureText(tool)}: ${tool.description}`),
      ),
    ...(failed ? draftParagraphs(failed) : []),
  ],
  read: ({ text }) => ({ value: text }),
};

function rulesText(mayCall: boolean): string {
  return [
    "Rules:",
    "- One exported function declaration, with helpers and constants inside; only types may stand beside it.",
    "- Explicit JSON types (string, number, boolean, null, arrays, objects) for parameters and result.",
    "- Standard ES2023 only: no imports, console, timers, network, files, process or DOM. The same call always gives the same result; times and random values are parameters.",
    "- General and short: every value of the task is a parameter.",
    "- Bad input throws an Error that says what was expected and what was given.",
    "- TSDoc: a first sentence that says what it does, an @param line per parameter with unit and range, and @returns.",
    "- At least two lines `@example call => result`, in literals. They are run and must give these results to nine digits, so be certain of each; write `throws` for an error.",
    `- No other tags${mayCall ? " but @calls" : ""}.`,
  ].join("\n");
}

const NAMING =
  "Name it for what it does in general, with no task values or version: snake_case, at most 64 characters.";

const CHANGING =
  "Keep the tool's name. Its example calls must still hold; where the change asks for another result, state the call in an @example line with the new one.";

function callableText(callable: WriteToolInput["callable"]): string {
  return [
    "The function may call only these tools. It is then async, lists them in a TSDoc line `@calls name, name`, and awaits the global callTool with a literal name. An example that depends on a call may have the result `runs`, for no error.",
    fenced(callable.map((tool) => callSignatureText(tool)).join("\n")),
  ].join("\n");
}

function changeParagraphs(
  task: string,
  { name, code, examples }: NonNullable<WriteToolInput["current"]>,
): Paragraphs {
  return [
    `Change the tool ${name} as follows: ${task}`,
    ["Its code:", fenced(code)].join("\n"),
    examples.length > 0 && ["Its example calls:", ...examples.map((one) => `- ${one}`)].join("\n"),
  ];
}

function draftParagraphs({ draft, problem }: NonNullable<WriteToolInput["failed"]>): Paragraphs {
  return [
    draft.trim() ? ["Your last reply:", fenced(draft)].join("\n") : "Your last reply was empty.",
    ["What is wrong with it (lines count from the first line of the code):", problem].join("\n"),
    "Fix it, keep what is right, and reply with the whole function.",
  ];
}

function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}ts\n${code.trim()}\n${fence}`;
}

/**
 * Asks a model to write the tool the current edit wants, or to fix its last draft. `editLibrary` judges the
 * result. (In the reference, a model asked again saw neither its code nor the error.)
 */
export function writeTool() {
  return stage({ ends: true, lines }, async (state, config) => {
    const edit = needed(state.edit, { stage: "writeTool", what: "an edit" });
    const settings = readSettings(config, state);
    const input = await writeToolInput(state, settings, edit);
    const answer = await askFor(writeToolQuestion, { state, settings, config, input });
    if ("end" in answer) return answer.end;
    return { edit: { ...edit, draft: answer.value }, ...answer.asked };
  });
}

async function writeToolInput(state: GraphState, settings: Settings, edit: Edit) {
  const library = await runWorkspace().library(settings);
  const { draft, problem, task, similar } = edit;
  return {
    ...runBasics(state, settings),
    task,
    ...currentCode(library, edit),
    similar: shown(library, similar),
    callable: shown(
      library,
      state.toolIds.filter((id) => id !== edit.tool),
    ),
    ...(problem ? { failed: { draft, problem } } : {}),
  };
}

function currentCode(library: LibraryView, { tool }: Edit): Pick<WriteToolInput, "current"> {
  const record = library.get(tool);
  if (record?.source.kind !== "generated") return {};
  const { name, source, examples = [] } = record;
  return { current: { name, code: source.code, examples } };
}

/** By id, because that is how a made tool calls another. */
function shown(library: LibraryView, ids: readonly string[]): OfferedTool[] {
  return ids.flatMap((id) => {
    const tool = library.get(id);
    return tool ? [toolView([id, tool])] : [];
  });
}

function lines({ before }: StageChange): Line[] {
  const failures = before.edit?.failures ?? 0;
  return [failures > 0 ? `writes draft ${failures + 1}` : "writes the tool"];
}
