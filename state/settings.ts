import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { readNamed } from "../common/schemas/issueText.js";
import { isSecretName } from "../common/secrets.js";

/** The planner that needs neither a key nor a network (models/offline). */
export const OFFLINE_MODEL = "offline:planner";

/** The sentence encoder whose weights ship in a package (models/embeddings/encoder.ts). */
export const LOCAL_EMBEDDINGS = "local:sentence-encoder";

/** The default model when an OpenAI key is set. */
export const OPENAI_MODEL = "openai:gpt-4.1-mini";

/**
 * Cosine above which a demonstration's task counts as similar. The local encoder's value was measured
 * (docs/demonstrations.md); TPTU-v2 does not state one.
 */
const DEMO_THRESHOLDS: Record<string, number> = { [LOCAL_EMBEDDINGS]: 0.65 };
const DEMO_THRESHOLD = 0.75;

/** Upper limit on the model calls of a run, whatever its settings. */
export const MOST_MODEL_CALLS = 5000;

/** Most tool calls that a program may make; one that would make more stops before its first write. */
export const MOST_PLAN_CALLS = 200;

/** How often a faulty plan is reflected on and rewritten. */
export const MOST_REFLECTIONS = 2;

/** How often what no tool does is reworded and searched for again. */
export const MOST_PARAPHRASES = 1;

/** From asking a person least to asking most. */
export const APPROVALS = ["none", "declared", "writes", "plan"] as const;

/** From never having an answer looked at once more to always. */
export const REFLECTIONS = ["never", "writes", "always"] as const;

const positive = z.number().int().positive();

/** Settings are saved with the thread, so they must not contain a key. */
const modelName = z.string().refine((name) => !isSecretName(name), {
  error:
    "looks like a key or a password; set keys in the environment or in .env (OPENAI_API_KEY=…)",
});

/**
 * The settings of a run. Every default is defined here and nowhere else.
 *
 * @example
 * const { topK, ranking } = settingsSchema.parse({ library: "office" });
 */
export const settingsSchema = z.strictObject({
  model: modelName.default(usualModel).describe('Chat model as "provider:name"'),
  embeddings: modelName
    .default(() => process.env["TULIPGRAPH_EMBEDDINGS"] || LOCAL_EMBEDDINGS)
    .describe('Embedding model as "provider:name"'),
  library: z.string().default("math").describe("Name of the tool library"),
  toolIds: z.array(z.string()).optional().describe("Only these tools of the library"),
  defaultTools: z
    .array(z.string())
    .default([])
    .describe("Ids of tools to offer always, whatever a search finds"),
  instructions: z.string().optional().describe("Replaces the agent's system prompt"),
  background: z
    .string()
    .optional()
    .describe(
      "Facts to tell the model at every stage, such as the date; defaults to the catalog's",
    ),
  topK: positive.default(10).describe("Most tools found per search phrase"),
  searchWhileActing: z
    .boolean()
    .default(true)
    .describe("While calling tools, the model may search for others; false: as published"),
  offer: z
    .enum(["auto", "bound", "called", "native"])
    .default("auto")
    .describe(
      "How a model that acts call by call is offered found tools: as tools of their own (bound), behind one fixed tool (called), in the provider's own encoding (native), or as suits the model (auto); the last three keep the beginning of its prompts the same",
    ),
  primingTopK: positive
    .default(25)
    .describe(
      "Most tools found to plan a whole request or to prime a decomposition; a library of no more may be shown whole",
    ),
  contentsTokens: positive
    .optional()
    .describe(
      "Most tokens for the names and arguments of a library's tools at the start of prompts; when absent, 2500, and 800 with a local model",
    ),
  ranking: z
    .enum(["both", "meaning", "words"])
    .default("both")
    .describe(
      "How tools are found: by meaning (vectors, as in the published methods), by words, or both",
    ),
  threshold: z
    .number()
    .min(0)
    .max(4)
    .optional()
    .describe(
      "Squared L2 distance from which a hit is a miss; 0 for no limit; when absent, the usual one of the embedding model",
    ),
  maxDepth: z.number().int().min(0).default(2).describe("How often a missed subtask may be split"),
  maxModelCalls: positive.max(MOST_MODEL_CALLS).default(50).describe("Most model calls per run"),
  maxOutputTokens: positive.default(4096).describe("Most tokens per model reply"),
  maxSeconds: z.number().positive().default(600).describe("Most seconds a run may work"),
  modelTimeoutMs: positive.default(60_000).describe("Most milliseconds per model reply"),
  toolTimeoutMs: positive.default(60_000).describe("Most milliseconds per tool call"),
  approval: z
    .enum(APPROVALS)
    .default("declared")
    .describe(
      "What a person must approve: calls of tools that declare it; all writes, with changes of the library; the whole plan before it runs, and any writes outside it; or nothing",
    ),
  reflect: z
    .enum(REFLECTIONS)
    .default("never")
    .describe(
      "When a model checks the answer against the receipt of the run, in one more call: never, where something was or should have been changed, or always",
    ),
  reflectModel: modelName
    .optional()
    .describe('Model for that check as "provider:name"; when absent, the chat model'),
  flowRules: z
    .string()
    .optional()
    .describe(
      'File of rules for what labelled tools read, send out and write, or "off"; when absent, a person must agree before private data leaves or outside text is written',
    ),
  madeTools: z
    .enum(["thread", "library"])
    .default("thread")
    .describe(
      "Where tools the model makes go: the thread's own library on top of the run's, or the run's library, for everyone who uses it",
    ),
  budget: z
    .union([z.number(), z.string()])
    .optional()
    .describe('What the run may spend: 20 (units, on tool calls) or "$0.05" (on everything)'),
  planRounding: z
    .enum(["code", "paper"])
    .default("code")
    .describe("Values and bounds of allowances as in the published code or the paper"),
  valueThreshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.15)
    .describe("Tools of less value to the request are granted no calls (τ)"),
  prices: z
    .enum(["declared", "measured"])
    .default("declared")
    .describe(
      "Prices of calls in allowances: as declared, or with a unit for each second and each 1,000 tokens of results of past calls",
    ),
  remember: z
    .boolean()
    .default(false)
    .describe("Record tool calls as experience for later budgets"),
  judge: z
    .enum(["rule", "model", "classifier", "none"])
    .default("rule")
    .describe(
      "Who judges whether a call helped: a rule (errors do not), a model, a trained classifier, or none: no tool is withdrawn",
    ),
  demos: z
    .number()
    .int()
    .min(0)
    .default(2)
    .describe("Demonstrations of similar tasks to show (k), in graphs that use them; 0 for none"),
  demoThreshold: z
    .number()
    .min(-1)
    .max(1)
    .optional()
    .describe(
      "Cosine above which a demonstration's task is similar (Δ); a measured value when absent",
    ),
  temperature: z.number().min(0).max(2).optional().describe("Sampling temperature"),
  seed: z.number().int().optional().describe("Sampling seed, if the provider supports one"),
});

/** The headings under which help lists the settings, each with the first setting below it, in the schema's order. */
export const SETTING_GROUPS: readonly [
  first: keyof typeof settingsSchema.shape,
  heading: string,
][] = [
  ["embeddings", "Tools and instructions"],
  ["topK", "Search"],
  ["maxDepth", "Limits"],
  ["approval", "Approval and data"],
  ["budget", "Budget"],
  ["remember", "Experience and demonstrations"],
  ["temperature", "Sampling"],
];

/**
 * The settings as forms such as Studio's show them: described but not checked. {@link readSettings} checks them
 * instead, because LangGraph would report Zod's raw issues and reject the nulls that forms send for empty fields.
 */
export const settingsForm = z.looseObject(
  Object.fromEntries(
    Object.entries(z.toJSONSchema(settingsSchema, { io: "input" }).properties ?? {}).map(
      ([name, property]) => [name, z.unknown().optional().meta(Object(property))],
    ),
  ),
);

/** Decided by variables alone; only the command line looks for installed models (models/firstModel.ts). */
function usualModel(): string {
  const byKey = process.env["OPENAI_API_KEY"] ? OPENAI_MODEL : OFFLINE_MODEL;
  return process.env["TULIPGRAPH_MODEL"] || byKey;
}

/** The settings of a run and the thread it runs on. */
export type Settings = z.infer<typeof settingsSchema> & {
  /** The run's thread, which is not a setting; absent outside a run. */
  threadId?: string;
};

/** The settings as a caller passes them: all are optional. */
export type SettingsInput = z.input<typeof settingsSchema>;

const SETTINGS = Object.keys(settingsSchema.shape);

/**
 * The settings of the current run, with defaults, and its thread. LangGraph passes a run's context as given, without
 * defaults. Settings under `configurable`, where many LangChain users put them, apply unless the context has them too.
 *
 * @param config as LangGraph passes it to a node
 * @param state of the run; without a checkpointer the run is its own thread
 * @throws {@link UnknownName} for an unknown setting
 * @throws {@link InvalidSetting} for a value the setting does not take
 *
 * @example
 * const { topK } = readSettings(config);
 */
export function readSettings(
  config: LangGraphRunnableConfig,
  state?: { run: { id: string } },
): Settings {
  const settings = parseSettings(givenSettings(config));
  const thread: unknown = config.configurable?.["thread_id"];
  const threadId = typeof thread === "string" ? thread : state?.run.id;
  return threadId ? { ...settings, threadId } : settings;
}

/** The settings that a config gives, as they came. */
export function givenSettings(
  config: Pick<LangGraphRunnableConfig, "configurable" | "context">,
): Record<string, unknown> {
  const configurable = Object.entries(config.configurable ?? {});
  const configured = configurable.filter(([name]) => SETTINGS.includes(name));
  return { ...Object.fromEntries(configured), ...config.context };
}

/** Like {@link readSettings}, but from plain settings. */
export function parseSettings(settings: Record<string, unknown>): Settings {
  return readNamed({ kind: "setting", schema: settingsSchema }, settings);
}

/** The cosine above which a demonstration's task counts as similar in this run. */
export function demonstrationThreshold({ demoThreshold, embeddings }: Settings): number {
  return demoThreshold ?? DEMO_THRESHOLDS[embeddings] ?? DEMO_THRESHOLD;
}
