import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";

/** Most values that are read of something that gives one after the other, and most bytes of a body. */
const MOST_VALUES = 100_000;
const MOST_BYTES = 10_000_000;

/**
 * What a function has returned, with all in it that comes later: a promise's value, the body of a response or a blob, the
 * values of a stream or an async iterator. Texts and bytes that come in parts are one text.
 *
 * @throws TypeError for more than can be read
 */
export async function settledValue(
  given: unknown,
  above: readonly unknown[] = [],
): Promise<unknown> {
  const value = await given;
  if (typeof value !== "object" || value === null || above.includes(value)) return value;
  if (value instanceof Response) return await bodyOf(value, value.status);
  if (value instanceof Blob)
    return value.size > MOST_BYTES ? tooMuch() : bodyOf(new Response(value));
  if (Symbol.asyncIterator in value) return await valuesOf(value as AsyncIterable<unknown>);
  const inner = [...above, value];
  if (Array.isArray(value)) return await Promise.all(value.map((one) => settledValue(one, inner)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!isObject(value) || (prototype !== Object.prototype && prototype !== null)) return value;
  const fields = Object.entries(value).map(
    async ([name, field]) => [name, await settledValue(field, inner)] as const,
  );
  return Object.fromEntries(await Promise.all(fields));
}

/** A refusal of a service is a failure of the call, in the service's words. */
async function bodyOf(response: Response, status = 200): Promise<unknown> {
  if (response.bodyUsed) throw new TypeError("result is a response whose body was already read");
  const body = response.body ? await valuesOf(response.body) : undefined;
  const text = typeof body === "string" ? body : "";
  if (status >= 400) throw new Error(`the service answered ${status}: ${text.slice(0, 500)}`);
  const isJson = /\bjson\b/i.test(response.headers.get("content-type") ?? "");
  return isJson && text ? JSON.parse(text) : body && text === "" ? body : text;
}

/** Node's streams can be iterated, which the types of the web do not say. */
async function valuesOf(given: AsyncIterable<unknown> | ReadableStream): Promise<unknown> {
  const values: unknown[] = [];
  let bytes = 0;
  for await (const value of given as AsyncIterable<unknown>) {
    if (value instanceof Uint8Array) bytes += value.length;
    if (values.push(await settledValue(value)) > MOST_VALUES || bytes > MOST_BYTES) tooMuch();
  }
  const isBytes = values.length > 0 && values.every((value) => value instanceof Uint8Array);
  if (!isBytes) return values;
  return textOf(Buffer.concat(values));
}

/** Bytes that are not text stay bytes. */
function textOf(bytes: Buffer): string | Buffer {
  const text = bytes.toString();
  return text.includes("\uFFFD") || text.includes("\0") ? bytes : text;
}

function tooMuch(): never {
  throw new TypeError(
    `result is endless or longer than ${MOST_VALUES} values or ${MOST_BYTES} bytes; return a part of it`,
  );
}
