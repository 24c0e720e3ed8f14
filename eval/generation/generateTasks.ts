import { END } from "@langchain/langgraph";
import { z } from "zod";
import { nameKey } from "../../common/nearNames.js";
import { compileGraph } from "../../graphs/compile.js";
import { accepted, reflecting } from "../../graphs/conditions.js";
import { wire } from "../../graphs/wire.js";
import { toolLines } from "../../models/chat/toolLines.js";
import { search } from "../../nodes/finding/search.js";
import { askFor, formQuestion } from "../../nodes/kit/question.js";
import { replyForm } from "../../nodes/kit/replyForm.js";
import { runBasics } from "../../nodes/kit/runBasics.js";
import { askingStage } from "../../nodes/kit/stage.js";
import type { OfferedTool, RunBasics } from "../../nodes/kit/stageInputs.js";
import { checkPlan } from "../../nodes/planning/checkPlan.js";
import { answerFromPlan } from "../../nodes/planning/answerFromPlan.js";
import { compose } from "../../nodes/planning/compose.js";
import { reflect } from "../../nodes/planning/reflect.js";
import { toolView } from "../../nodes/policy/modelView.js";
import { offeredTools } from "../../nodes/policy/offeredTools.js";
import { intake } from "../../nodes/request/intake.js";
import { respond } from "../../nodes/request/respond.js";
import { writtenValue } from "../../plans/steps/references.js";
import { accepts, ANY, fieldsOf, type Typed } from "../../plans/steps/schemaTypes.js";
import { readSettings } from "../../state/settings.js";
import type { GraphState } from "../../state/state.js";
import type { ToolDefinition, ToolRecord } from "../../tools/tool.js";
import { filled } from "../simulated/goldSteps.js";
import { randomFor } from "../statistics/random.js";

interface WriteRequestInput extends RunBasics {
  tools: OfferedTool[];
}

declare module "../../nodes/kit/stageInputs.js" {
  interface StageInputs {
    writeRequest: WriteRequestInput;
  }
}

const form = z.object({ request: z.string().trim().min(10).describe("What the person writes") });

/** Asks for a request that the tools of a flow fulfil together ("AI Agent 007", flow-based generation). */
const requestQuestion = formQuestion({
  stage: "writeRequest",
  form: replyForm(form),
  instructions: ({ tools }: WriteRequestInput) => [
    "Write what a person asks an assistant for, so that it takes a call of each tool below, in this order, and no other.",
    "Write as the person would: everyday words, one to three sentences, no name of a tool or an argument. Give every value that the calls need and no result knows. Values are plausible and never placeholders.",
    `Tools:\n${toolLines(tools)}`,
  ],
  task: ({ request }) => [`Who asks: ${request}`],
});

/**
 * Makes a task of a flow: the request names who asks; then come the request in that person's words, the gold plan, its
 * check against the types of the tools, and a critic who has it written again ("AI Agent 007", multi-agent with critic).
 */
const generate = compileGraph(
  wire("intake", {
    intake: { run: intake(), next: "search" },
    search: { run: search({ by: "everything" }), next: "writeRequest" },
    writeRequest: { run: writeRequest(), next: "compose" },
    compose: { run: compose({ style: "typed" }), next: "checkPlan" },
    checkPlan: {
      run: checkPlan({ mergeReads: false }),
      next: [[reflecting, "reflect"], "answerFromPlan"],
    },
    reflect: { run: reflect({ on: "plan" }), next: [[accepted, "answerFromPlan"], "compose"] },
    answerFromPlan: { run: answerFromPlan(), next: "respond" },
    respond: { run: respond(), next: END },
  }),
  { name: "generate" },
);

/** A task to be written: tools in an order in which results can flow, and who asks. */
interface Flow {
  tools: ToolDefinition[];
  persona: string;
}

/** Most calls of a task. */
const LONGEST = 3;

/** People whose words differ (the report has 18 domains with 5 personas each). */
const PERSONAS = [
  "a nurse between two patients, who writes half sentences",
  "a retired teacher, who is polite and exact",
  "a student, who writes as in a chat",
  "the owner of a small shop, who thinks aloud",
  "an engineer, who uses abbreviations",
  "a new colleague, who does not know the terms",
  "a manager on the way to a meeting, who gives orders",
  "a parent, who explains why",
];

/** A task as a line of a file, as `eval run --tasks` and `train retriever --pairs` take it. */
export interface GeneratedTask {
  id: string;
  query: string;
  tools: string[];
  /** With their values; absent if a call that changes something would have to be made to know them. */
  calls?: { tool: string; args: Record<string, unknown> }[];
  level: string;
}

/** Makes a call that only reads, and throws if it fails. */
export type Trial = (tool: ToolRecord, args: Record<string, unknown>) => Promise<unknown>;

/** Attempts for each task that is wanted. */
const ATTEMPTS = 4;

/**
 * Makes tasks for a library. A task counts if the critic accepts its plan, the plan calls every tool of its flow, its reads
 * work when they are tried, and no task before it asks the same or makes the same calls.
 *
 * @param options.onTask is told how many there are, and why an attempt was dropped
 */
export async function* generateTasks(options: {
  tools: readonly ToolRecord[];
  settings: Record<string, unknown>;
  count: number;
  seed: number;
  trial: Trial;
  onDropped: (why: string) => void;
}): AsyncGenerator<GeneratedTask> {
  const { tools, settings, count, seed, trial, onDropped } = options;
  const seen = new Set<string>();
  let made = 0;
  for (let number = 1; made < count && number <= count * ATTEMPTS; number += 1) {
    const flow = flowOf(tools, { seed, number });
    const task = await taskOf(flow, { tools, settings, trial });
    const keys =
      typeof task === "string"
        ? []
        : [nameKey(task.query), JSON.stringify(task.calls ?? task.query)];
    const dropped =
      typeof task === "string" ? task : keys.some((key) => seen.has(key)) ? "as one before" : "";
    if (typeof task === "string" || dropped) {
      onDropped(dropped);
      continue;
    }
    for (const key of keys) seen.add(key);
    made += 1;
    yield { id: `generated-${made}`, ...task };
  }
}

async function taskOf(
  { tools: wanted, persona }: Flow,
  { tools, settings, trial }: { tools: readonly ToolRecord[]; settings: object; trial: Trial },
): Promise<Omit<GeneratedTask, "id"> | string> {
  const toolIds = wanted.map(({ id }) => id);
  const context = { ...settings, toolIds };
  const { plan, run } = await stateAfter({ request: persona }, context);
  if (!plan?.accepted || plan.issues.length > 0) return "the critic did not accept the plan";
  const called = plan.steps.map(({ tool }) => tool);
  if (!toolIds.every((id) => called.includes(id))) return "the plan leaves out a tool";
  const level = called.length === 1 ? "easy" : called.length <= 3 ? "medium" : "hard";
  const task = { query: run.request, tools: called, level };
  const records = plan.steps.map(({ tool }) => tools.find(({ id }) => id === tool));
  if (!records.every((record) => record?.effects === "read")) {
    const isLiteral = plan.steps.every(
      ({ args }) => !/\$\$PREV/.test(JSON.stringify(writtenValue(args))),
    );
    return isLiteral ? { ...task, calls: plan.steps.map(literal) } : task;
  }
  const results: unknown[] = [];
  const calls: NonNullable<GeneratedTask["calls"]> = [];
  for (const [at, { tool, args }] of plan.steps.entries()) {
    const values = Object(filled(args, results)) as Record<string, unknown>;
    calls.push({ tool, args: values });
    try {
      const record = records[at];
      if (record) results.push(await trial(record, values));
    } catch (error) {
      return `${tool} failed when it was tried: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return { ...task, calls };
}

/** The whole state at the end: what a graph returns has no request. */
async function stateAfter(
  input: { request: string },
  context: Record<string, unknown>,
): Promise<GraphState> {
  const states = await generate.stream(input, { context, streamMode: "values" });
  let last: unknown;
  for await (const state of states) last = state;
  return last as GraphState;
}

function literal({ tool, args }: NonNullable<GraphState["plan"]>["steps"][number]) {
  return { tool, args: Object(writtenValue(args)) as Record<string, unknown> };
}

/**
 * The flow of a number: a tool, and for later calls tools that take what an earlier one returns, as the type graph has it;
 * where there is none, any other. The same seed gives the same flows.
 */
function flowOf(
  tools: readonly ToolDefinition[],
  { seed, number }: { seed: number; number: number },
): Flow {
  const random = randomFor(`${seed} ${number}`);
  const any = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  const chosen: ToolDefinition[] = [];
  for (let left = 1 + Math.floor(random() * LONGEST); left > 0; left -= 1) {
    const others = tools.filter((tool) => !chosen.includes(tool));
    const next = others.filter((tool) => chosen.some((earlier) => feeds(earlier, tool)));
    const found = any(next.length > 0 ? next : others);
    if (found) chosen.push(found);
  }
  return { tools: chosen, persona: any(PERSONAS) ?? "" };
}

/** Whether a tool takes the declared result of another, or a field of it. */
function feeds({ returns }: ToolDefinition, { parameters }: ToolDefinition): boolean {
  if (!returns) return false;
  const result: Typed = { schema: returns, root: returns };
  const given = [result, ...(fieldsOf(result)?.values() ?? [])];
  const wanted = fieldsOf({ schema: parameters, root: parameters })?.values() ?? [];
  return [...wanted].some((type) =>
    given.some((one) => one !== ANY && accepts({ wanted: type, given: one })),
  );
}

function writeRequest() {
  return askingStage(
    { lines: ({ change }) => (change.run ? [change.run.request] : []) },
    async (state, config) => {
      const settings = readSettings(config);
      const { offered } = await offeredTools(state, settings);
      const input = { ...runBasics(state, settings), tools: [...offered].map(toolView) };
      const answer = await askFor(requestQuestion, { state, settings, config, input });
      if ("end" in answer) return answer.end;
      return { run: { ...state.run, request: answer.value.request }, ...answer.asked };
    },
  );
}
