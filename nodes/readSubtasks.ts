import { jsonInText, parseJson } from "../plans/jsonInText.js";
import { listedLines } from "../plans/listedLines.js";
import { isPlainObject } from "../plans/references.js";

/** What a model is told whose reply held no subtasks. */
export const NO_SUBTASKS =
  'Your last reply was no JSON object with the key "subtasks" and a list of texts. Reply with that alone.';

/** Keys under which models write the text of a subtask that is an object. */
const TEXT_KEYS = ["subtask", "task", "text", "description", "step", "title", "name"];

/**
 * The subtasks in a reply that was asked for them: as the object that was asked for, as a bare list, as a list of
 * objects, or line by line. None is a list without items; undefined where there is no list at all.
 */
export function readSubtasks(reply: string): string[] | undefined {
  const values = [parseJson(reply), ...jsonInText(reply).values.toReversed()];
  const found = values.flatMap((value) => {
    const texts = textsIn(listIn(value));
    return texts ? [texts] : [];
  });
  const [first = listedLines(reply)] = found;
  if (found.length === 0 && first.length === 0) return undefined;
  return first.map((text) => text.trim()).filter(Boolean);
}

function listIn(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const lists = Object.values(value).filter(Array.isArray);
  return value["subtasks"] ?? (lists.length === 1 ? lists[0] : undefined);
}

function textsIn(list: unknown): string[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const texts = list.flatMap((item: unknown) => textOf(item) ?? []);
  return texts.length === list.length ? texts : undefined;
}

function textOf(item: unknown): string | undefined {
  if (typeof item === "string") return item;
  if (!isPlainObject(item)) return undefined;
  const texts = Object.values(item).filter((value) => typeof value === "string");
  const keyed = TEXT_KEYS.map((key) => item[key]).find((value) => typeof value === "string");
  return keyed ?? (texts.length === 1 ? texts[0] : undefined);
}
