import { CALL_FORM, readCallForm } from "../../library/records/wayBack.js";
import { FLOW_FORM, readFlow, type ToolFlow } from "../../library/records/labels.js";
import type { ToolDefinition, ToolEffects } from "../../tool.js";
import type { DocTag } from "./docs.js";
import { givenFields } from "../../../common/givenFields.js";

/** What a function's tags say about the tool. */
export interface ToolTags {
  name?: string;
  effects?: ToolEffects;
  settings: Pick<
    ToolDefinition,
    "cost" | "timeoutMs" | "approval" | "check" | "undo" | "before" | "deed" | "examples"
  > &
    ToolFlow;
  /** One line per unusable tag, with the tag. */
  problems: { tag: DocTag; problem: string }[];
}

/** What a tool may state about itself: a form in words, and whether a value has it. */
interface Field {
  form: string;
  fits: (value: unknown) => boolean;
}

/** The fields of declarations and of a LangChain tool's metadata; tags of functions have the same values. */
export const FIELDS = {
  effects: {
    form: '"read" or "write"',
    fits: (value) => value === "read" || value === "write",
  },
  cost: {
    form: "a number of budget units, 0 or more",
    fits: (value) => Number.isFinite(value) && Number(value) >= 0,
  },
  timeoutMs: {
    form: "a number of milliseconds above 0",
    fits: (value) => Number.isFinite(value) && Number(value) > 0,
  },
  approval: { form: "true or false", fits: (value) => typeof value === "boolean" },
  check: { form: "the id of a tool, one word", fits: (value) => /^\S+$/.test(String(value)) },
  undo: { form: CALL_FORM, fits: isCall },
  before: { form: CALL_FORM, fits: isCall },
  deed: { form: "a sentence of at most 200 characters", fits: isSentence },
  flow: { form: FLOW_FORM, fits: (value) => readFlow(value) !== undefined },
} satisfies Record<string, Field>;

function isCall(value: unknown): boolean {
  return readCallForm(value) !== undefined;
}

function isSentence(value: unknown): boolean {
  return typeof value === "string" && value !== "" && value.length <= 200;
}

/** The stated fields: those with a valid value, and a problem for each other one. */
export function statedSettings<Key extends string>(
  fields: Record<Key, Field>,
  stated: Record<string, unknown>,
  shownAs: (key: Key) => string,
): { values: Partial<Record<Key, unknown>>; problems: string[] } {
  const values: Partial<Record<Key, unknown>> = {};
  const problems: string[] = [];
  for (const key of Object.keys(fields) as Key[]) {
    const { form, fits } = fields[key];
    const value = stated[key];
    if (value === undefined) continue;
    if (fits(value)) values[key] = value;
    else problems.push(`has ${shownAs(key)} ${JSON.stringify(value)}; it must be ${form}`);
  }
  return { values, problems };
}

/**
 * Reads `@name`, `@effects`, `@cost`, `@timeout`, `@approval`, `@check`, `@undo`, `@before`, `@deed`, `@flow` and
 * `@example`; other tags are ignored. All but `@example` may occur once.
 */
export function readTags(tags: readonly DocTag[]): ToolTags {
  const problems: ToolTags["problems"] = [];
  const value = (name: string, { form, fits }: Field, read: (text: string) => unknown): unknown => {
    const [tag, other] = tags.filter((candidate) => candidate.name === name);
    if (tag === undefined) return undefined;
    if (other !== undefined) problems.push({ tag: other, problem: `@${name} is given twice` });
    const found = read(tag.text);
    if (fits(found)) return found;
    problems.push({ tag, problem: `@${name} must be ${form}, got "${tag.text}"` });
    return undefined;
  };
  const stated = {
    name: value("name", NAME, asItIs),
    effects: value("effects", FIELDS.effects, asItIs),
    cost: value("cost", FIELDS.cost, numberIn),
    timeoutMs: value("timeout", FIELDS.timeoutMs, numberIn),
    approval: value("approval", APPROVAL, (text) => YES_OR_NO[text]),
    check: value("check", FIELDS.check, asItIs),
    undo: value("undo", FIELDS.undo, asItIs),
    before: value("before", FIELDS.before, asItIs),
    deed: value("deed", FIELDS.deed, (text) => text.replace(/^"(.*)"$/, "$1")),
    flow: value("flow", FIELDS.flow, asItIs),
  };
  const { name, effects, flow, ...settings } = stated as Pick<ToolTags, "name" | "effects"> &
    ToolTags["settings"];
  const examples = readExamples(tags);
  return {
    name,
    effects,
    settings: {
      ...givenFields(settings),
      ...readFlow(flow),
      ...(examples.length > 0 ? { examples } : {}),
    },
    problems,
  };
}

const NAME: Field = { form: "one word", fits: (text) => /^\S+$/.test(String(text)) };

const APPROVAL: Field = { ...FIELDS.approval, form: "empty, true or false" };

const YES_OR_NO: Record<string, boolean> = { "": true, true: true, false: false };

function asItIs(text: string): string {
  return text;
}

function numberIn(text: string): number {
  return text === "" ? Number.NaN : Number(text);
}

/** The texts of `@example`, without the fence if an example is all one code block. */
function readExamples(tags: readonly DocTag[]): string[] {
  return tags
    .filter(({ name }) => name === "example")
    .map(({ text }) => text.replace(/^```\w*\n([\s\S]*?)\n?```$/, "$1").trim())
    .filter((text) => text !== "");
}
