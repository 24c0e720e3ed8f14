import { z } from "zod";
import { MOST_SUBTASKS, counted } from "../../common/bounds.js";
import { jsonInText, parseJson } from "../../plans/jsonInText.js";
import { listedLines } from "../../plans/listedLines.js";
import { isPlainObject } from "../../plans/references.js";
import { type ReplyForm, replyForm } from "../shared/replyForm.js";

/** Keys that models use for the text of a subtask given as an object. */
const TEXT_KEYS = ["subtask", "task", "text", "description", "step", "title", "name"];

const form = replyForm(
  z.object({ subtasks: z.array(z.string()).describe("The subtasks in their order") }),
  { mended: (text) => ({ subtasks: subtasksIn(text) }) },
);

/** A reply of ordered subtasks, possibly none. */
export const subtasksForm: ReplyForm<string[]> = {
  ...form,
  read: (text) => {
    const reading = form.read(text);
    if ("problem" in reading) return reading;
    const subtasks = reading.value.subtasks.map((one) => one.trim()).filter(Boolean);
    if (subtasks.length <= MOST_SUBTASKS) return { value: subtasks };
    return {
      problem: `Your last reply had ${counted(subtasks.length)} subtasks, and a task is split into at most ${MOST_SUBTASKS}. Reply with fewer, larger ones.`,
    };
  },
};

/** As a bare list, a list of objects, or line by line; undefined if there is no list. */
function subtasksIn(reply: string): string[] | undefined {
  const values = [parseJson(reply), ...jsonInText(reply).values.toReversed()];
  for (const value of values) {
    const texts = textsIn(listIn(value));
    if (texts) return texts;
  }
  const lines = listedLines(reply);
  return lines.length > 0 ? lines : undefined;
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
