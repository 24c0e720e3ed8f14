import { InvalidSetting } from "../../common/errors.js";
import type { InputRequest } from "../../nodes/acting/askInput.js";
import type { InputAnswer } from "../../tools/runtime/inputRequest.js";
import { type DecisionOptions, isRecord, readJson } from "./decisions.js";

/** Options of `resume` by which a person answers questions. */
export interface AnswerOptions extends DecisionOptions {
  /** JSON: the fields of the answer, or a list with one object for each question. */
  answer?: string;
}

/**
 * The answers to a run's questions; undefined when none was given.
 *
 * @throws InvalidSetting for options that contradict each other, or that do not answer the questions
 */
export function answersOn(options: {
  waiting: InputRequest;
  given: AnswerOptions;
}): InputAnswer[] | undefined {
  const { waiting, given } = options;
  const { questions } = waiting;
  const { answer, edit, approve, reject } = given;
  const ways = { answer, edit, approve, reject };
  const made = Object.entries(ways).filter(([, value]) => value !== undefined && value !== false);
  const [way, another] = made.map(([name]) => `--${name}`);
  if (!way) return undefined;
  if (another) throw unusable(way, `is given together with ${another}`, "Give one of them");
  if (reject) return questions.map(({ id }) => ({ id, action: "decline" }));
  if (approve) return questions.map(({ id }) => ({ id, action: "accept" }));
  const content = edit === undefined ? parsed(answer ?? "") : readJson(edit, FORM);
  const contents: unknown[] = Array.isArray(content) ? content : [content];
  if (contents.length !== questions.length || !contents.every(isRecord)) {
    throw unusable(
      way,
      `does not answer ${questions.length === 1 ? "the question" : `the ${questions.length} questions`}`,
      FORM,
    );
  }
  // The run itself checks the fields, and asks again if they do not fit.
  return questions.map(({ id }, index) => ({
    id,
    action: "accept",
    content: contents[index] as InputAnswer["content"],
  }));
}

const FORM =
  "Write a JSON object with the fields that are asked for, or a list with one for each question";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unusable("--answer", "is not JSON", FORM);
  }
}

function unusable(setting: string, problem: string, hint: string): InvalidSetting {
  return new InvalidSetting({ setting, problem, hint });
}
