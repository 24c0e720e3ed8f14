import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { InvalidSetting, UnknownName } from "../common/errors.js";
import { holdsSecret } from "../common/secrets.js";

/** The planner that needs no key and no network (models/offline). */
export const OFFLINE_MODEL = "offline:planner";

/** The sentence encoder whose weights come with a package (models/encoder.ts). */
export const LOCAL_EMBEDDINGS = "local:sentence-encoder";

/** What is asked when a key of OpenAI is set and no model is named. */
const OPENAI_MODEL = "openai:gpt-4.1-mini";

/**
 * Squared L2 distance from which on a hit counts as a miss. The local encoder's was measured
 * (eval/experiments/missThreshold.ts); 1.25 is the published setting for OpenAI's text embeddings.
 */
const MISS_THRESHOLDS: Record<string, number> = { [LOCAL_EMBEDDINGS]: 1 };
const MISS_THRESHOLD = 1.25;

/**
 * Cosine above which the task of a demonstration is alike. The local encoder's was measured
 * (eval/experiments/demoThreshold.ts); TPTU-v2 does not state its own.
 */
const DEMO_THRESHOLDS: Record<string, number> = { [LOCAL_EMBEDDINGS]: 0.65 };
const DEMO_THRESHOLD = 0.75;

/** A run never makes more model calls than this, whatever its settings say. */
export const MOST_MODEL_CALLS = 5000;

/** A plan never makes more calls of tools than this, whatever the settings of its run say. */
export const MOST_PLAN_CALLS = 5000;

const positive = z.number().int().positive();

/** Settings are saved with the thread, so that a key may not be among them. */
const modelName = z.string().refine((name) => !holdsSecret(name), {
  error:
    "looks like a key or a password; set keys in the environment or in .env (OPENAI_API_KEY=…)",
});

/** Settings of a run: every default is written here, once. */
export const contextSchema = z.strictObject({
  model: modelName
    .default(() => (process.env["OPENAI_API_KEY"] ? OPENAI_MODEL : OFFLINE_MODEL))
    .describe('Chat model as "provider:name"'),
  reasoningModel: modelName
    .optional()
    .describe('Chat model for decomposition as "provider:name"; the chat model when absent'),
  embeddings: modelName.default(LOCAL_EMBEDDINGS).describe('Embedding model as "provider:name"'),
  library: z.string().default("math").describe("Name of the tool library"),
  toolIds: z.array(z.string()).optional().describe("Only these tools of the library"),
  defaultTools: z
    .array(z.string())
    .default([])
    .describe("Ids of tools that are always offered, whatever a search finds"),
  instructions: z.string().optional().describe("Replaces the system prompt of the agent"),
  background: z
    .string()
    .optional()
    .describe(
      "Facts that the model is told at every stage, such as the date; else those of the catalogue",
    ),
  topK: positive.default(10).describe("Tools that one search phrase may find"),
  primingTopK: positive
    .default(25)
    .describe(
      "Tools that one search shows to whoever plans a whole request, or whose names prime a decomposition",
    ),
  threshold: z
    .number()
    .min(0)
    .max(4)
    .optional()
    .describe("Squared L2 distance at which a hit is a miss; 0 for none, measured when absent"),
  maxDepth: z.number().int().min(0).default(2).describe("Times that a missed subtask is split"),
  searchDepth: positive
    .optional()
    .describe(
      "How deep a search over steps goes, thought, action and its input counting one each; as published when absent",
    ),
  maxModelCalls: positive.max(MOST_MODEL_CALLS).default(50).describe("Model calls of one run"),
  maxOutputTokens: positive.default(4096).describe("Tokens of one reply of the model"),
  toolCalls: z
    .enum(["auto", "native", "text"])
    .default("auto")
    .describe(
      "How calls of tools are asked for: with the provider's own protocol, in plain text, or natively until the model turns out to take no tools",
    ),
  maxSeconds: z.number().positive().default(600).describe("Seconds at work of one run"),
  modelTimeoutMs: positive.default(60_000).describe("Milliseconds for one reply of the model"),
  toolTimeoutMs: positive.default(60_000).describe("Milliseconds for one call of a tool"),
  approval: z
    .enum(["declared", "writes", "plan", "none"])
    .default("declared")
    .describe(
      "What a person has to approve: calls of tools that declare it, all writes, a plan as a whole before anything runs (writes beside it are asked about, too), or nothing",
    ),
  flowRules: z
    .string()
    .optional()
    .describe(
      'A file with the rules for what labelled tools bring in, send out and write, or "off"; private data leaves, and text from outside is written, only where a person agrees when absent',
    ),
  approveEdits: z
    .boolean()
    .default(false)
    .describe("A person has to approve each tool that the model writes, changes or deletes"),
  madeTools: z
    .enum(["thread", "library"])
    .default("thread")
    .describe(
      "Where tools that the model makes go: to a library of the thread's own, which lies over the run's, or into the run's library, for everybody who uses it",
    ),
  maxDrafts: positive.default(3).describe("Drafts of one tool before its creation has failed"),
  maxReflections: z
    .number()
    .int()
    .min(0)
    .default(2)
    .describe("Times that a plan with faults is reflected on and written anew"),
  maxPlanCalls: positive
    .max(MOST_PLAN_CALLS)
    .default(200)
    .describe(
      "Calls of tools that a plan written as a program may make; one that would make more stops before its first write",
    ),
  taskDepth: positive.default(3).describe("Levels of tasks below the request in a task tree"),
  maxReplans: z.number().int().min(0).default(1).describe("Further plans for a task that failed"),
  maxParaphrases: z
    .number()
    .int()
    .min(0)
    .default(1)
    .describe("Times that a task without tools is searched for in other words"),
  budget: z
    .union([z.number(), z.string()])
    .optional()
    .describe('What the run may spend: 20 units on calls of tools, or "$0.05" on everything'),
  usdPerUnit: z
    .number()
    .positive()
    .default(0.001)
    .describe("Dollars that one unit stands for, where both meet"),
  pricing: z
    .enum(["declared", "measured"])
    .default("declared")
    .describe(
      "Price of a call: what the tool declares, or with a unit for each 1000 tokens of its schema and results and for each second",
    ),
  planRounding: z
    .enum(["code", "paper"])
    .default("code")
    .describe("Values and bounds of budget plans as in the published code, or in the paper"),
  evidenceTemperature: z
    .number()
    .positive()
    .optional()
    .describe(
      "Past requests weigh exp((cos − 1) / T) in a plan: 1 as published, less to count those that are alike; the graph's own when absent",
    ),
  valueThreshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.15)
    .describe("A tool whose value for the request is less is not planned (τ)"),
  remember: z
    .boolean()
    .default(false)
    .describe("Record calls of tools as experience for later budget plans"),
  judge: z
    .enum(["rule", "model", "classifier"])
    .default("rule")
    .describe(
      "Who says whether a call was helpful: an error is not, a model, or a trained classifier",
    ),
  demos: z
    .number()
    .int()
    .min(0)
    .default(2)
    .describe("Demonstrations of tasks alike that are shown (k), in graphs that do; 0 for none"),
  demoThreshold: z
    .number()
    .min(-1)
    .max(1)
    .optional()
    .describe("Cosine above which the task of a demonstration is alike (Δ), measured when absent"),
  blacklist: z
    .boolean()
    .default(true)
    .describe("Take away tools that have only been unhelpful, in graphs that judge"),
  temperature: z.number().min(0).max(2).optional().describe("Sampling temperature"),
  seed: z.number().int().optional().describe("Sampling seed, where the provider has one"),
});

/**
 * The settings as LangGraph shows them in forms, such as Studio's: described, and not checked, which
 * {@link readContext} does. LangGraph's own check would answer with Zod's raw list of issues, and
 * refuse the nulls that forms send for empty fields.
 */
export const contextForm = z.looseObject(
  Object.fromEntries(
    Object.entries(z.toJSONSchema(contextSchema, { io: "input" }).properties ?? {}).map(
      ([name, property]) => [name, z.unknown().optional().meta(Object(property))],
    ),
  ),
);

/** The settings of a run, and where it runs. */
export type Context = z.infer<typeof contextSchema> & {
  /** The thread of the run, which no setting says; absent where no run is under way. */
  threadId?: string;
};

/** What a user may give: every setting is optional. */
export type ContextInput = z.input<typeof contextSchema>;

const SETTINGS = Object.keys(contextSchema.shape);

/**
 * The settings of the run that a node stands in, defaults filled in, and its thread. LangGraph hands a
 * run's context on as it was given, without defaults; settings under `configurable`, which many LangChain
 * users write, count where the context has none.
 *
 * @param state of the run, which is its own thread where it has no checkpointer
 * @throws {@link UnknownName} for a setting that does not exist
 * @throws {@link InvalidSetting} for a value that a setting cannot take
 */
export function readContext(
  config: LangGraphRunnableConfig,
  state?: { run: { id: string } },
): Context {
  const configurable = Object.entries(config.configurable ?? {});
  const configured = Object.fromEntries(configurable.filter(([name]) => SETTINGS.includes(name)));
  const settings = parseContext({ ...configured, ...config.context });
  const thread: unknown = config.configurable?.["thread_id"];
  const threadId = typeof thread === "string" ? thread : state?.run.id;
  return threadId ? { ...settings, threadId } : settings;
}

/** As {@link readContext}, from plain settings. */
export function parseContext(settings: Record<string, unknown>): Context {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value != null));
  const unknown = Object.keys(given).find((name) => !SETTINGS.includes(name));
  if (unknown) {
    throw new UnknownName({ kind: "setting", wanted: unknown, available: SETTINGS });
  }
  const parsed = contextSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidSetting({
    setting: issue?.path.join(".") ?? "context",
    problem: issue?.message ?? "is not valid",
  });
}

/** The distance at which a hit is a miss in this run; undefined for no limit. */
export function missThreshold({ threshold, embeddings }: Context): number | undefined {
  return threshold ?? MISS_THRESHOLDS[embeddings] ?? MISS_THRESHOLD;
}

/** The cosine above which the task of a demonstration is alike in this run. */
export function demonstrationThreshold({ demoThreshold, embeddings }: Context): number {
  return demoThreshold ?? DEMO_THRESHOLDS[embeddings] ?? DEMO_THRESHOLD;
}
