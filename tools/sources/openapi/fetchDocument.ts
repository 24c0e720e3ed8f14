import { InvalidSetting } from "../../../common/errors.js";
import { packageVersion } from "../../../storage/packageRoot.js";
import { boundedBytes, TooMuch, MOST_REDIRECTS, nextAddress } from "./answer.js";

/** Bytes of a document: four times the largest public one known. */
export const LONGEST_DOCUMENT = 50_000_000;

/** Time limit for downloading a document, in milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * The text of a document on the web. A redirect to another host is not followed: whoever imports a document trusts the
 * host in its address.
 *
 * @throws InvalidSetting when it cannot be downloaded
 */
export async function fetchDocument(address: string): Promise<{ text: string; url: URL }> {
  const refuse = (problem: string, hint?: string) =>
    new InvalidSetting({ setting: `document ${address}`, problem, hint });
  const signal = AbortSignal.timeout(PATIENCE_MS);
  let url = new URL(address);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await requested(url, signal, refuse);
    const next = nextAddress(response, url);
    if (next === undefined) return { text: await documentText(response, refuse), url };
    await response.body?.cancel();
    if ("refused" in next) {
      throw refuse(
        `it redirects to ${next.refused}, which is not followed`,
        "If it has moved there, import it from there",
      );
    }
    url = next.url;
  }
  throw refuse(`it redirects more than ${MOST_REDIRECTS} times`);
}

type Refuse = (problem: string, hint?: string) => InvalidSetting;

async function requested(url: URL, signal: AbortSignal, refuse: Refuse): Promise<Response> {
  const headers = {
    accept: "application/json, application/yaml, text/yaml, */*;q=0.5",
    "user-agent": `tulipgraph/${packageVersion()}`,
  };
  try {
    return await fetch(url, { redirect: "manual", headers, signal });
  } catch (error) {
    if (signal.aborted) throw refuse(`it was not downloaded within ${PATIENCE_MS / 1000} s`);
    throw refuse(`it cannot be reached (${reasonOf(error)})`, "Check the address");
  }
}

/** The reason behind a "fetch failed". */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

async function documentText(response: Response, refuse: Refuse): Promise<string> {
  if (!response.ok) {
    await response.body?.cancel();
    throw refuse(`the server answered ${response.status} ${response.statusText}`.trim());
  }
  let text: string;
  try {
    text = new TextDecoder().decode(await boundedBytes(response, LONGEST_DOCUMENT));
  } catch (error) {
    if (error instanceof TooMuch) throw refuse(`it has more than ${LONGEST_DOCUMENT / 1e6} MB`);
    throw refuse(`it broke off (${reasonOf(error)})`);
  }
  if (/^\s*(?:<!doctype html|<html)/i.test(text)) {
    throw refuse(
      "the server answered with a page of HTML",
      "Name the document itself, which is JSON or YAML; pages about an API often link to it",
    );
  }
  return text;
}
