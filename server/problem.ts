import { TulipgraphError } from "../common/errors.js";

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
    super([details.problem, details.hint].filter(Boolean).join(". "));
  }
}
