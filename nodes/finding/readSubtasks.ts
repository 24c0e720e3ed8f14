import { MOST_SUBTASKS, counted } from "../../common/bounds.js";
import { jsonInText, parseJson } from "../../plans/jsonInText.js";
import { listedLines } from "../../plans/listedLines.js";
import { isPlainObject } from "../../plans/references.js";

const NO_SUBTASKS =
  'Your last reply was no JSON object with the key "subtasks" and a list of texts. Reply with that alone.';

/** Keys under which models write the text of a subtask that is an object. */
const TEXT_KEYS = ["subtask", "task", "text", "description", "step", "title", "name"];

/**
 * The subtasks in a reply that was asked for them, none where it lists none; or what the model is told whose reply
 * held nothing that can be used.
 */
export function readSubtasks(reply: string): { texts: string[] } | { problem: string } {
  const texts = subtasksIn(reply);
  if (!texts) return { problem: NO_SUBTASKS };
  if (texts.length <= MOST_SUBTASKS) return { texts };
  const problem = `Your last reply had ${counted(texts.length)} subtasks, and a task is split into at most ${MOST_SUBTASKS}. Reply with fewer and larger ones.`;
  return { problem };
}

/** As the object that was asked for, as a bare list, as a list of objects, or line by line; undefined for no list. */
function subtasksIn(reply: string): string[] | undefined {
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
