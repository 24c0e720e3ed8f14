import { TulipgraphError, explained } from "../common/errors.js";

/** A request is refused; the message is sent to the client. */
export class HttpProblem extends TulipgraphError {
  readonly code = "HTTP_PROBLEM";

  constructor(
    readonly details: {
      status: 400 | 401 | 402 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 503;
      problem: string;
      hint?: string;
      /** Seconds after which it may be tried again. */
      retryAfter?: number;
    },
  ) {
    super(explained(undefined, details));
  }
}

/** The answer 403: the caller may not do this. */
export function forbidden(problem: string, hint?: string): HttpProblem {
  return new HttpProblem({ status: 403, problem, hint });
}

/** The answer 404: it is not there, or the caller does not see it. */
export function notFound(problem: string, hint?: string): HttpProblem {
  return new HttpProblem({ status: 404, problem, hint });
}

/** The answer 409: something else stands in the way. */
export function conflict(problem: string, hint?: string): HttpProblem {
  return new HttpProblem({ status: 409, problem, hint });
}

export function threadUnknown(threadId: string): HttpProblem {
  return notFound(
    `Thread with ID ${threadId} not found`,
    'Create it first (POST /threads), or send "if_not_exists": "create" with the run',
  );
}

/** @throws HttpProblem 409 while the thread has open runs */
export function requireIdle({ thread_id, status }: { thread_id: string; status: string }): void {
  if (status === "busy") throw threadIsBusy(thread_id);
}

/** While a thread has open runs, it can be neither copied, changed by hand nor deleted. */
export function threadIsBusy(threadId: string): HttpProblem {
  return conflict(`thread ${threadId} is busy`, "Wait until its runs have ended, or cancel them");
}
