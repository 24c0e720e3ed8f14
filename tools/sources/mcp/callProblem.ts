import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/client";
import { clipped } from "../../../common/bounds.js";
import { causeText, loginProblem } from "./connectionProblem.js";
import { McpFailed } from "./mcpFailed.js";
import type { Reach } from "./settings.js";

/** Characters of addresses that are told. */
const LONGEST_ADDRESSES = 1_000;

/** Failures of the client library before anything was sent. */
const NOT_SENT: readonly unknown[] = [
  SdkErrorCode.NotConnected,
  SdkErrorCode.CapabilityNotSupported,
];

/**
 * Why a call got no answer, in one line. A write whose request may have arrived may have been made.
 *
 * @param options.brokenBy what broke the connection, if that is known
 */
export function callProblem(options: {
  name: string;
  reach: Reach;
  error: unknown;
  writes: boolean;
  brokenBy: string | undefined;
}): Error {
  const { name, reach, error, writes, brokenBy } = options;
  if (error instanceof McpFailed) return error;
  const login = loginProblem({ name, error });
  if (login) return login;
  const cause = brokenBy ?? causeText(error, reach);
  if (error instanceof UrlElicitationRequiredError) {
    const addresses = error.elicitations.map(({ url }) => url).join(", ");
    const problem = `it wants something done in a browser first: ${clipped(addresses, LONGEST_ADDRESSES)}`;
    return new McpFailed({ server: name, problem, hint: "Then make the call again" });
  }
  if (error instanceof ProtocolError) {
    return new McpFailed({ server: name, problem: `it refuses the call: ${cause}` });
  }
  const doubt = writes && !wasNotMade(error) ? "; the call may or may not have taken effect" : "";
  const problem = wasAnswered(error)
    ? `its answer cannot be used (${cause})`
    : `the connection broke before its answer came (${cause})`;
  return new McpFailed({ server: name, problem: `${problem}${doubt}` }, { cause: error });
}

function wasAnswered(error: unknown): boolean {
  if (error instanceof SdkHttpError) return true;
  return error instanceof SdkError && error.code === SdkErrorCode.InvalidResult;
}

/** Nothing was sent, or the server did not even take it. */
function wasNotMade(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status !== undefined && error.status < 500;
  return error instanceof SdkError && NOT_SENT.includes(error.code);
}
