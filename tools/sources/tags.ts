import { FLOW_FORM, readFlow, type ToolFlow } from "../flow/labels.js";
import type { ToolDefinition, ToolEffects } from "../tool.js";
import type { DocTag } from "./docs.js";

/** What a function's tags say about the tool. */
export interface ToolTags {
  name?: string;
  /** `write` if not declared: a call must not be repeated on a guess. */
  effects: ToolEffects;
  settings: Pick<ToolDefinition, "cost" | "timeoutMs" | "approval" | "examples"> & ToolFlow;
  /** One line per unusable tag, with the tag. */
  problems: { tag: DocTag; problem: string }[];
}

/**
 * Reads `@name`, `@effects`, `@cost`, `@timeout`, `@approval`, `@flow` and `@example`; other tags are ignored. All but
 * `@example` may occur once; overloads may repeat the same value.
 */
export function readTags(tags: readonly DocTag[]): ToolTags {
  const problems: ToolTags["problems"] = [];
  const value = <Value>(name: string, reader: TagReader<Value>): Value | undefined => {
    const [tag, ...more] = tags.filter((candidate) => candidate.name === name);
    if (tag === undefined) return undefined;
    const other = more.find(({ text }) => text !== tag.text);
    if (other !== undefined) problems.push({ tag: other, problem: `@${name} is given twice` });
    const read = reader.read(tag.text);
    if (read === undefined) {
      problems.push({ tag, problem: `@${name} must be ${reader.form}, got "${tag.text}"` });
    }
    return read;
  };
  const name = value("name", NAME);
  const effects = value("effects", EFFECTS) ?? "write";
  const cost = value("cost", COST);
  const timeoutMs = value("timeout", TIMEOUT);
  const approval = value("approval", APPROVAL);
  const flow = value("flow", FLOW);
  const examples = readExamples(tags);
  return {
    ...(name !== undefined ? { name } : {}),
    effects,
    settings: {
      ...(cost !== undefined ? { cost } : {}),
      ...(timeoutMs !== undefined ? { timeoutMs } : {}),
      ...(approval !== undefined ? { approval } : {}),
      ...flow,
      ...(examples.length > 0 ? { examples } : {}),
    },
    problems,
  };
}

interface TagReader<Value> {
  form: string;
  read: (text: string) => Value | undefined;
}

const NAME: TagReader<string> = {
  form: "one word",
  read: (text) => (/^\S+$/.test(text) ? text : undefined),
};

const EFFECTS: TagReader<ToolEffects> = {
  form: "read or write",
  read: (text) => (text === "read" || text === "write" ? text : undefined),
};

const COST: TagReader<number> = {
  form: "a number of budget units, 0 or more",
  read: (text) => readNumber(text, (number) => number >= 0),
};

const TIMEOUT: TagReader<number> = {
  form: "a number of milliseconds above 0",
  read: (text) => readNumber(text, (number) => number > 0),
};

const APPROVAL: TagReader<boolean> = {
  form: "empty, true or false",
  read: (text) => (text === "" || text === "true" ? true : text === "false" ? false : undefined),
};

const FLOW: TagReader<ToolFlow> = { form: FLOW_FORM, read: readFlow };

function readNumber(text: string, fits: (number: number) => boolean): number | undefined {
  const number = text === "" ? Number.NaN : Number(text);
  return Number.isFinite(number) && fits(number) ? number : undefined;
}

/** The texts of `@example`, without the fence if an example is all one code block. */
function readExamples(tags: readonly DocTag[]): string[] {
  return tags
    .filter(({ name }) => name === "example")
    .map(({ text }) => text.replace(/^```\w*\n([\s\S]*?)\n?```$/, "$1").trim())
    .filter((text) => text !== "");
}
