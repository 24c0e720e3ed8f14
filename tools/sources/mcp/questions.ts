import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import type { InputAnswer, InputRequest } from "../../remote.js";
import { canonicalJson, sha256 } from "../../library/records/hash.js";

/** Milliseconds that a server's question waits for a person. */
const ANSWERED_WITHIN_MS = 3_600_000;

/** Questions that one call may ask. */
export const MOST_QUESTIONS = 20;

/** A server's question. */
interface AskedQuestion {
  request: InputRequest;
  isOpen: boolean;
  /** Answers the server; the first answer counts. */
  answer: (result: ElicitResult) => void;
}

/** The questions to the person behind one call. */
export interface CallQuestions {
  threadId: string;
  /** The open ones, in the order in which they came. */
  open: () => readonly InputRequest[];
  /** Asks and waits for the answer. */
  ask: (question: ElicitRequestParams, alsoOf?: readonly CallQuestions[]) => Promise<ElicitResult>;
  /** Adds a question of another call, which may belong to this one. */
  share: (question: AskedQuestion) => void;
  /** Passes answers to the open questions that they name. */
  answer: (answers: readonly InputAnswer[]) => void;
  /** Resolves once a question is open. */
  untilOpen: () => Promise<void>;
  /** Ends all open questions: nobody will answer them. */
  giveUp: (action: "decline" | "cancel") => void;
}

/** Digits of a question's id. */
const ID_DIGITS = 12;

/** The questions of a call. They last as long as the call, even while nobody waits for it. */
export function callQuestions(
  of: Pick<InputRequest, "source" | "tool" | "callId">,
  threadId: string,
): CallQuestions {
  const questions = new Set<AskedQuestion>();
  let asked = 0;
  let wake: (() => void) | undefined;
  const open = () => [...questions].filter(({ isOpen }) => isOpen);
  const share = (question: AskedQuestion) => {
    questions.add(question);
    wake?.();
  };
  return {
    threadId,
    open: () => open().map(({ request }) => request),
    giveUp(action) {
      for (const { answer } of open()) answer({ action });
    },
    answer(answers) {
      for (const { id, action, content } of answers) {
        const question = open().find(({ request }) => request.id === id);
        question?.answer({ action, ...(action === "accept" && { content: content ?? {} }) });
      }
    },
    async ask(params, alsoOf = []) {
      const request = requestOf(of, params, asked++);
      return await new Promise<ElicitResult>((resolve) => {
        const question: AskedQuestion = {
          request,
          isOpen: true,
          answer(result) {
            clearTimeout(timer);
            question.isOpen = false;
            resolve(result);
          },
        };
        const cancel = () => question.answer({ action: "cancel" });
        const timer = setTimeout(cancel, ANSWERED_WITHIN_MS).unref();
        share(question);
        for (const other of alsoOf) other.share(question);
      });
    },
    share,
    untilOpen: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (open().length > 0) resolve();
      }),
  };
}

/** A call that is made again asks the same questions under the same ids. */
function requestOf(
  of: Pick<InputRequest, "source" | "tool" | "callId">,
  params: ElicitRequestParams,
  index: number,
): InputRequest {
  const { message } = params;
  const schema = "requestedSchema" in params ? params.requestedSchema : undefined;
  const url = "url" in params ? params.url : undefined;
  const id = sha256(canonicalJson({ ...of, message, schema, url, index })).slice(0, ID_DIGITS);
  return {
    id,
    ...of,
    message,
    ...(schema && { schema: { ...schema } }),
    ...(url !== undefined && { url }),
  };
}
