import { InvalidSetting } from "../../common/errors.js";
import {
  type DecisionOptions,
  type Decisions,
  type Waiting,
  isRecord,
  parsed,
  readText,
} from "./decisions.js";

/** Options of `resume` by which a person answers questions. */
export interface AnswerOptions extends DecisionOptions {
  /** JSON: the fields of the answer, or a list with one object for each question. */
  answer?: string;
}

/**
 * The answers to a run's questions, as decisions that edit them; undefined when none was given.
 *
 * @throws InvalidSetting for options that contradict each other, or that do not answer the questions
 */
export function answersOn(options: {
  waiting: Waiting;
  given: AnswerOptions;
}): Decisions | undefined {
  const { waiting, given } = options;
  const { actionRequests } = waiting;
  const { answer, edit, approve, reject } = given;
  const ways = { answer, edit, approve, reject };
  const made = Object.entries(ways).filter(([, value]) => value !== undefined && value !== false);
  const [way, another] = made.map(([name]) => `--${name}`);
  if (!way) return undefined;
  if (another) throw unusable(way, `is given together with ${another}`, "Give one of them");
  const answered = (change: object[]): Decisions =>
    actionRequests.map(({ name, args }, at) => ({
      type: "edit",
      editedAction: { name, args: { ...args, ...change[at] } },
    }));
  if (reject) return answered(actionRequests.map(() => ({ action: "decline", content: {} })));
  if (approve) return answered([]);
  const text = edit === undefined ? (answer ?? "") : readText(edit, FORM);
  const content = parsed({ setting: way, text, hint: FORM });
  const contents: unknown[] = Array.isArray(content) ? content : [content];
  if (contents.length !== actionRequests.length || !contents.every(isRecord)) {
    const count = actionRequests.length;
    const problem = `does not answer ${count === 1 ? "the question" : `the ${count} questions`}`;
    throw unusable(way, problem, FORM);
  }
  // The run itself checks the fields, and asks again if they do not fit.
  return answered(contents.map((each) => ({ content: each })));
}

const FORM =
  "Write a JSON object with the fields that are asked for, or a list with one for each question";

function unusable(setting: string, problem: string, hint: string): InvalidSetting {
  return new InvalidSetting({ setting, problem, hint });
}
