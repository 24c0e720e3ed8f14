import type { GraphState } from "./state.js";
import {
  APPROVALS,
  REFLECTIONS,
  type Settings,
  type SettingsInput,
  parseSettings,
  type settingsSchema,
} from "./settings.js";

/**
 * What becomes of a setting when a run goes on: `free` the caller may choose anew · `held` as the run began, because
 * no value is stricter than another, or work that is done rests on it · `lower`, `fewer`, and a list from the loosest
 * value to the strictest: whichever of the two is stricter.
 */
type Direction = "free" | "held" | "lower" | "fewer" | readonly unknown[];

/** For each setting, whether and in which direction it restricts a run. */
export const DIRECTIONS = {
  model: "free",
  embeddings: "free",
  library: "held",
  toolIds: "fewer",
  defaultTools: "free",
  // Flow rules take both for the user's own words.
  instructions: "held",
  background: "held",
  topK: "lower",
  offer: "free",
  searchWhileActing: [true, false],
  primingTopK: "lower",
  contentsTokens: "lower",
  ranking: "free",
  threshold: "free",
  maxDepth: "lower",
  maxModelCalls: "lower",
  maxOutputTokens: "lower",
  maxSeconds: "lower",
  modelTimeoutMs: "lower",
  toolTimeoutMs: "lower",
  approval: APPROVALS,
  reflect: REFLECTIONS,
  reflectModel: "free",
  // Of files nobody can tell which is stricter.
  flowRules: "held",
  madeTools: ["library", "thread"],
  // The first stage opens the ledger.
  budget: "held",
  planRounding: "free",
  valueThreshold: "free",
  prices: "free",
  remember: [true, false],
  judge: "free",
  demos: "lower",
  demoThreshold: "free",
  temperature: "free",
  seed: "free",
} as const satisfies Record<keyof typeof settingsSchema.shape, Direction>;

/**
 * The settings with which a run goes on: those that it began with, and of what the caller gives what is free or stricter.
 * A caller that gives nothing goes on as the run began.
 *
 * @param begun as they were read when the run began; a thread of an older version has none
 * @param given as a caller passes them; null counts as absent
 * @throws UnknownName, InvalidSetting for what cannot be given
 * @example
 * settingsGoingOn({ ...begun, approval: "plan" }, { approval: "none", model: "openai:gpt-4.1" });
 * // approval stays "plan", the model is another
 */
export function settingsGoingOn(
  begun: Partial<Settings>,
  given: Readonly<Record<string, unknown>>,
): SettingsInput {
  parseSettings(given);
  const { threadId: _thread, ...base } = begun;
  const chosen = Object.entries(given).filter(([, value]) => value != null);
  const held = chosen.map(([name, value]): [string, unknown] => {
    const direction: Direction | undefined = Reflect.get(DIRECTIONS, name) as Direction | undefined;
    return [name, stricter(direction ?? "free", Reflect.get(base, name), value)];
  });
  return { ...base, ...Object.fromEntries(held) };
}

/** Stages before the one that takes up the request: until then, the state tells of the run before. */
const BEFORE_RUN: readonly string[] = ["__start__", "intake"];

/** The settings that the run of a state began with; undefined if it has none, or they are not known. */
export function settingsBegun(state: {
  values: unknown;
  next: readonly string[];
}): Partial<Settings> | undefined {
  const { run } = Object(state.values) as Partial<GraphState>;
  if (state.next.some((stage) => BEFORE_RUN.includes(stage))) return undefined;
  return run?.settings;
}

function stricter(direction: Direction, before: unknown, given: unknown): unknown {
  if (direction === "free") return given;
  if (direction === "held") return before;
  if (before === undefined) return given;
  if (direction === "lower") return Number(given) < Number(before) ? given : before;
  if (direction === "fewer") return [before].flat().filter((one) => [given].flat().includes(one));
  return direction.indexOf(given) > direction.indexOf(before) ? given : before;
}
