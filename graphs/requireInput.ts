import type { z } from "zod";
import { InvalidSetting, UnknownName } from "../common/errors.js";
import { nearestName } from "../common/nearNames.js";
import { issueText } from "../common/schemas/issueText.js";
import { isSchema as isPlainObject } from "../common/schemas/referredSchema.js";
import { Input, State } from "../state/state.js";

const FIELDS = Object.keys(Input.shape);

/**
 * What a run is given must ask for something. Keys that no channel has are let through beside that, because a graph in
 * which this one is a node hands over all of its state; but not if nothing else asks, nor a misspelt `request`.
 *
 * @param known the channels of the graph
 * @throws InvalidSetting for a value of another kind
 * @throws UnknownName for a key that is not known
 */
export function requireInput(input: unknown, known: object = State.shape): void {
  if (!isPlainObject(input)) {
    const hint = 'give { request: "…" } or { messages: […] }';
    throw new InvalidSetting({ setting: "input", problem: "is not an object", hint });
  }
  const { request, messages, undo } = input;
  checkedValues({ request, undo }, State.shape);
  const asks = request || undo || (Array.isArray(messages) ? messages.length > 0 : messages);
  const isMeant = (key: string) => typeof input[key] === "string" && nearestName(key, ["request"]);
  const unknown = Object.keys(input).filter((key) => !(key in known || key.startsWith("__")));
  const wanted = unknown.find((key) => (asks ? !request && isMeant(key) : true));
  if (wanted === undefined) return;
  throw new UnknownName({ kind: "key of the input", wanted, available: FIELDS });
}

/**
 * Values of channels as somebody outside gives them.
 *
 * @throws InvalidSetting for a value of another kind
 * @throws UnknownName for what is not a channel
 */
export function checkedValues(values: unknown, known: object): unknown {
  if (!isPlainObject(values)) return values;
  const shape: Partial<Record<string, z.ZodType>> = State.shape;
  const checked = Object.entries(values).map(([name, value]) => {
    if (!(name in known))
      throw new UnknownName({ kind: "channel", wanted: name, available: Object.keys(State.shape) });
    const read = shape[name]?.safeParse(value);
    if (read?.error) {
      const setting = [name, ...(read.error.issues[0]?.path ?? [])].join(".");
      throw new InvalidSetting({ setting, problem: issueText(read.error, value) });
    }
    return [name, read ? read.data : value];
  });
  return Object.fromEntries(checked);
}
