import { InvalidSetting } from "../../../common/errors.js";
import { packageVersion } from "../../../storage/packageRoot.js";
import { boundedBytes, followed, NotFollowed, reasonOf, TooMuch } from "./answer.js";

/** Bytes of a document: four times the largest public one known. */
export const LONGEST_DOCUMENT = 50_000_000;

/** The refusal of a longer document. */
export function tooLong(refuse: Refuse): InvalidSetting {
  return refuse(
    `it has more than ${LONGEST_DOCUMENT / 1e6} MB`,
    `Cut it to the paths you need and import that file: jq '.paths |= with_entries(select(.key | startswith("/orders")))' BIG.json > SMALL.json`,
  );
}

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
  const headers = {
    accept: "application/json, application/yaml, text/yaml, */*;q=0.5",
    "user-agent": `tulipgraph/${packageVersion()}`,
  };
  const { response, url } = await followed(new URL(address), { headers, signal }).catch(
    (error: unknown) => {
      if (error instanceof NotFollowed)
        throw refuse(error.message, "If it has moved there, import it from there");
      if (signal.aborted) throw refuse(`it was not downloaded within ${PATIENCE_MS / 1000} s`);
      throw refuse(`it cannot be reached (${reasonOf(error)})`, "Check the address");
    },
  );
  return { text: await documentText(response, refuse), url };
}

export type Refuse = (problem: string, hint?: string) => InvalidSetting;

async function documentText(response: Response, refuse: Refuse): Promise<string> {
  if (!response.ok) {
    await response.body?.cancel();
    throw refuse(`the server answered ${response.status} ${response.statusText}`.trim());
  }
  let text: string;
  try {
    text = new TextDecoder().decode(await boundedBytes(response, LONGEST_DOCUMENT));
  } catch (error) {
    if (error instanceof TooMuch) throw tooLong(refuse);
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
