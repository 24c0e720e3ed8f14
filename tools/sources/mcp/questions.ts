import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import type { InputAnswer, InputRequest } from "../../remote.js";
import { canonicalJson, sha256 } from "../../library/records/hash.js";

/** Milliseconds that a server's question waits for a person. */
const ANSWERED_WITHIN_MS = 3_600_000;

/** Questions that one call may ask. */
export const MOST_QUESTIONS = 20;

interface AskedQuestion {
  request: InputRequest;
  isOpen: boolean;
  /** Answers the server; the first answer counts. */
  answer: (result: ElicitResult) => void;
}

/** The questions to the person behind one call. */
export type CallQuestions = ReturnType<typeof callQuestions>;

/** Digits of a question's id. */
const ID_DIGITS = 12;

/** The questions of a call. They last as long as the call, even while nobody waits for it. */
export function callQuestions(
  of: Pick<InputRequest, "source" | "tool" | "callId">,
  threadId: string,
) {
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
    /** The open ones, in the order in which they came. */
    open: () => open().map(({ request }) => request),
    /** Ends all open questions: nobody will answer them. */
    giveUp(action: "decline" | "cancel") {
      for (const { answer } of open()) answer({ action });
    },
    /** Passes answers to the open questions that they name. */
    answer(answers: readonly InputAnswer[]) {
      for (const { id, action, content } of answers) {
        const question = open().find(({ request }) => request.id === id);
        question?.answer({ action, ...(action === "accept" && { content: content ?? {} }) });
      }
    },
    /** Asks and waits for the answer. The question may belong to other calls, too. */
    async ask(
      params: ElicitRequestParams,
      alsoOf: readonly { share: typeof share }[] = [],
    ): Promise<ElicitResult> {
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
    /** Resolves once a question is open. */
    untilOpen: () =>
      new Promise<void>((resolve) => {
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
