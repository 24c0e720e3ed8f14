import { InvalidSetting, messageOf } from "../../common/errors.js";
import { withoutSecretsIn } from "../../common/secrets.js";
import type { RecordedTask } from "./recordRuns.js";
import type { RecordedRuns } from "./recordingFile.js";

/**
 * Recorded runs without keys and passwords, and without values that are not for everybody. A value is replaced by the same
 * word wherever it occurs, so that a replay makes the same calls with it. Names of tools, graphs and models stay.
 *
 * @param masked texts, or patterns as `/PATTERN/`
 * @throws InvalidSetting for a pattern that cannot be read
 */
export function maskRecordings(runs: RecordedRuns, masked: readonly string[]): RecordedRuns {
  const pattern = anyOf(masked);
  const words = new Map<string, string>();
  const wordFor = (value: string) => {
    const word = words.get(value) ?? `masked-${words.size + 1}`;
    words.set(value, word);
    return word;
  };
  const masking = (text: string) =>
    pattern ? text.replaceAll(pattern, (found) => (found === "" ? "" : wordFor(found))) : text;
  const cleaned = withoutSecretsIn(runs);
  return { ...cleaned, tasks: cleaned.tasks.map((task) => maskedTask(task, masking)) };
}

type Masking = (text: string) => string;

function maskedTask(task: RecordedTask, mask: Masking): RecordedTask {
  const { recording } = task;
  const { calls, decisions, earlier, answer, settings } = recording;
  const { background, instructions } = settings;
  return {
    ...task,
    id: mask(task.id),
    query: mask(task.query),
    recording: {
      ...recording,
      thread: mask(recording.thread),
      settings: { ...settings, ...maskedIn({ background, instructions }, mask, 1) },
      earlier: maskedIn(earlier, mask, 1),
      calls: calls.map(({ args, result, error, ...call }) => ({
        ...call,
        ...maskedIn({ args, ...(error === undefined ? {} : { error }) }, mask, 2),
        ...(result === undefined ? {} : maskedIn({ result }, mask, 1)),
      })),
      decisions: decisions.map((one) => ({
        ...maskedIn(one, mask, 2),
        name: one.name,
        type: one.type,
      })),
      answer: mask(answer),
    },
  };
}

/**
 * Plain data with all its texts masked, and all keys that are such a value.
 *
 * @param named how many levels have names for keys, such as those of parameters
 */
function maskedIn<Data>(data: Data, mask: Masking, named: number): Data {
  const masked = (value: unknown, left: number): unknown => {
    if (typeof value === "string") return mask(value);
    if (Array.isArray(value)) return value.map((each) => masked(each, left));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, inner]) => [
      left > 0 ? key : maskedKey(key, mask),
      masked(inner, left - 1),
    ]);
    return Object.fromEntries(entries);
  };
  return masked(data, named) as Data;
}

/** A key that only contains a value stays: it is a name of the tool's. */
function maskedKey(key: string, mask: Masking): string {
  const word = mask(key);
  return /^masked-\d+$/.test(word) ? word : key;
}

/** One pattern for all, so that no word that stands for a value is masked again; undefined if nothing is to be masked. */
function anyOf(masked: readonly string[]): RegExp | undefined {
  if (masked.length === 0) return undefined;
  return new RegExp(masked.map((text) => `(?:${sourceOf(text)})`).join("|"), "gu");
}

function sourceOf(text: string): string {
  const [, source] = /^\/(.+)\/$/s.exec(text) ?? [];
  if (source === undefined) return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  try {
    return new RegExp(source, "u").source;
  } catch (error) {
    throw new InvalidSetting({
      setting: "--mask",
      problem: `${text} is not a pattern (${messageOf(error)})`,
      hint: "Write a text, or a regular expression between slashes: /[\\w.]+@[\\w.]+/",
    });
  }
}
