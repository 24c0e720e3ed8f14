import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseRetryAfterMs } from "@langchain/core/utils/async_caller";
import { isLongInteger } from "../../../common/exactJson.js";
import { pictureType } from "../../../common/fileNames.js";
import { reasonOf } from "../../../common/connections.js";
import { messageOf } from "../../../common/errors.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { type Hiding, hidingSecrets, withoutSecrets } from "../../../common/secrets.js";
import { packageVersion } from "../../../storage/packageRoot.js";
import { keeping, withFiles } from "../../calls/engine/callFiles.js";
import { withTexts } from "../../calls/engine/callArguments.js";
import { jsonResult } from "../../calls/engine/jsonResult.js";
import type { RemoteCall, RemoteResult, RemoteCaller } from "../../remote.js";
import type { SourceStores } from "../credentials/store.js";
import { ownCredentials } from "../credentials/own.js";
import type { HttpOperation } from "../../tool.js";
import { failureOf, followed, NotFollowed, readAnswer, sameHost } from "./answer.js";
import { allPages, nextLink, type Page } from "./paging.js";
import { type HttpRequest, requestOf } from "./request.js";
import {
  credentialsFor,
  openApiSettings,
  type ReadyCredential,
  wantedByOpenApi,
} from "./settings.js";

/** Calls the operations of OpenAPI documents. */
export function openApiCaller({ sources, connections: store }: SourceStores): RemoteCaller {
  return {
    async call(call) {
      const { source } = call.record;
      if (source.kind !== "openapi")
        throw new Error(`${call.record.id} is not from an OpenAPI document`);
      const { operation, api } = source;
      const known = await sources.get(api);
      if (known === undefined)
        throw new Error(`its source ${api} is unknown in this home; import it again`);
      const { auth } = openApiSettings(api, known.settings);
      const place = new URL(operation.server).origin;
      const wanted = () => wantedByOpenApi(known);
      const own = await ownCredentials({ source: known, call, place, store, wanted });
      const ready =
        own?.bearer === undefined
          ? credentialsFor(api, operation, auth, own?.values)
          : [{ as: "bearer" as const, value: "", secret: own.bearer }];
      const hidden = hider(ready);
      try {
        const { resultJson } = await withFiles({ ...call, isHere: false, asFile }, (args) =>
          answered({ ...call, args: withLongIntegers(args, call) }, operation, ready),
        );
        return resultJson === undefined
          ? {}
          : { resultJson: JSON.stringify(hidden.data(JSON.parse(resultJson))) };
      } catch (error) {
        call.signal.throwIfAborted();
        if (own && error instanceof Unauthorized) throw await own.refused();
        const isUnreached = error instanceof Unreached;
        return { error: withoutSecrets(hidden.text(messageOf(error))), isUnreached };
      }
    },
    async close() {},
  };
}

/** A file as it is uploaded; where a request has no room for one, its name. */
function asFile(path: string, data: Buffer): File {
  const type = pictureType(path);
  const name = basename(path);
  const file = new File([new Uint8Array(data)], name, type === undefined ? {} : { type });
  return Object.assign(file, { toJSON: () => name });
}

/** Whole numbers that came as texts, because they are beyond 2⁵³, as what the API wants. */
function withLongIntegers<Args extends object>(args: Args, { record }: RemoteCall): Args {
  const { parameters } = record;
  return withTexts(args, parameters, (text, schema) => {
    const ways = [schema, ...[schema["anyOf"] ?? []].flat()] as JsonSchema[];
    const isWhole = ways.some(({ type }) => [type].flat().includes("integer"));
    return isWhole && isLongInteger(text) ? BigInt(text) : text;
  }) as Args;
}

/** The API cannot be reached, or is out of service. */
class Unreached extends Error {}

/** The API has not accepted the credentials. */
class Unauthorized extends Error {}

async function answered(
  call: RemoteCall,
  operation: HttpOperation,
  ready: readonly ReadyCredential[],
): Promise<RemoteResult> {
  const { args, signal, onReady, onStart } = call;
  const requestWith = (given: typeof args) => {
    const request = requestOf({ operation, args: given, credentials: ready });
    request.headers.set("user-agent", `tulipgraph/${packageVersion()}`);
    return request;
  };
  const first = requestWith(args);
  onReady();
  await onStart();
  const get = async (request: HttpRequest): Promise<Page> => {
    const response = await send(request, signal);
    if (!response.ok) {
      const failure = await failureOf(response);
      if (OUT_OF_SERVICE.has(response.status)) throw new Unreached(failure);
      throw response.status === 401 ? new Unauthorized(failure) : new Error(failure);
    }
    const next = nextLink(response.headers.get("link"));
    return { value: await readAnswer(response, keeping(call)), next };
  };
  const { paging } = operation;
  if (!paging || args["all_pages"] !== true)
    return { resultJson: jsonResult((await get(first)).value) };
  const all = await allPages({
    paging,
    args,
    get: (page) => get("next" in page ? linked(first, page.next, ready) : requestWith(page.args)),
  });
  return { resultJson: jsonResult(all) };
}

/** The request for a page at an address, which lacks the credentials of the query. */
function linked(
  first: HttpRequest,
  address: string,
  ready: readonly ReadyCredential[],
): HttpRequest {
  const url = sameHost(first.url, address, "its next page is at");
  for (const { as, name = "", secret } of ready)
    if (as === "query") url.searchParams.set(name, secret);
  return { ...first, url };
}

/** Takes credentials out of what an API says: it may repeat what it was sent. */
function hider(ready: readonly ReadyCredential[]): Hiding {
  const secrets = ready.flatMap(({ as, secret }) =>
    as === "basic" ? [secret, secret.replace(/^[^:]*:/, "")] : [secret],
  );
  return hidingSecrets(secrets);
}

const OUT_OF_SERVICE = new Set([502, 503, 504]);

/** How often a request is sent at most. */
const MOST_TRIES = 3;

/** The longest wait before another try, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/** The first wait if the API does not name one, in milliseconds; doubled each time. */
const FIRST_WAIT_MS = 1000;

/** Methods whose requests have the same effect when sent twice. */
const IDEMPOTENT = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);

/**
 * Sends a request and returns the answer, whatever its status. While the API is busy (429, 503), an idempotent request
 * is sent again, at most twice, after the wait that the API asks for, unless that is too long.
 *
 * @throws Error in one line for no answer, or for a redirect that is not followed; the signal's reason when aborted
 */
async function send(request: HttpRequest, signal: AbortSignal): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetched(request, signal);
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || !IDEMPOTENT.has(request.method) || tries >= MOST_TRIES) return response;
    const asked = parseRetryAfterMs(response.headers.get("retry-after"));
    const wait = asked ?? FIRST_WAIT_MS * 2 ** (tries - 1);
    if (wait > LONGEST_WAIT_MS) return response;
    await response.body?.cancel();
    await sleep(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function fetched({ url, ...init }: HttpRequest, signal: AbortSignal): Promise<Response> {
  try {
    return (await followed(url, { ...init, signal })).response;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NotFollowed) throw error;
    throw new Unreached(`${url.host} cannot be reached (${reasonOf(error)})`, { cause: error });
  }
}
