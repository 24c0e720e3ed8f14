import { UnknownName } from "../../common/errors.js";
import type { ExampleCheck } from "../../tools/tool.js";
import { readJson } from "../files.js";

/** What is the right end of a request. */
export type Wanted =
  /** A new tool that calls these tools of the library itself. */
  | { kind: "create"; calls?: readonly string[] }
  /** A new version of this tool. */
  | { kind: "update"; tool: string }
  /** No new tool: this one does it already. */
  | { kind: "reuse"; tool: string }
  /** No tool, and a run that says so: the sandbox has nothing that such a tool needs. */
  | { kind: "nothing" };

/** A call that nobody who writes the tool is shown. */
export interface HiddenCheck {
  /** In the order in which the request names the inputs: what they are called is up to the model. */
  args: readonly unknown[];
  expects: ExampleCheck["expects"];
}

/** A request for a tool, and what the tool has to do. */
export interface CreationRequest {
  id: string;
  /** What it is about, in a word. */
  theme: "numbers" | "texts" | "dates" | "lists" | "records" | "calls" | "update" | "no tool";
  /** As the agent is asked. */
  query: string;
  wanted: Wanted;
  /** Names of the tools that the library begins with (startTools.txt). */
  start: readonly string[];
  /** Empty where no tool is the right end. */
  checks: readonly HiddenCheck[];
}

/** All requests for tools, in the order in which they are made. */
export const CREATION_REQUESTS = readJson(
  new URL("./requests.json", import.meta.url),
) as readonly CreationRequest[];

/**
 * The requests with these ids, in their usual order; all of them where no ids are given.
 *
 * @throws UnknownName for an id that no request has
 */
export function chooseRequests(ids?: readonly string[]): CreationRequest[] {
  const available = CREATION_REQUESTS.map(({ id }) => id);
  const wanted = ids?.find((id) => !available.includes(id));
  if (wanted !== undefined) throw new UnknownName({ kind: "request", wanted, available });
  return CREATION_REQUESTS.filter(({ id }) => ids?.includes(id) ?? true);
}
