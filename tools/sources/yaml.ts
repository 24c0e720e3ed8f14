import { CORE_SCHEMA, loadAll, Type } from "js-yaml";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";

const TAG = "tag:yaml.org,2002:";

function scalar(name: string, resolve: (text: unknown) => boolean): Type {
  return new Type(`${TAG}${name}`, { kind: "scalar", resolve, construct: (text) => asRead(text) });
}

function asRead(text: unknown): unknown {
  return isExact(text) ? Number(text) : text;
}

function isExact(text: unknown): boolean {
  return Number.isFinite(Number(text)) && String(Number(text)) === text;
}

/** `<<` merges as everywhere, and tags of other programs (`!Sub`) are passed over. */
const SCHEMA = CORE_SCHEMA.extend({
  implicit: [
    scalar("merge", (key) => key === "<<"),
    scalar("int", isExact),
    scalar("float", () => false),
  ],
  explicit: [TAG, "!"].flatMap((tag) =>
    (["scalar", "sequence", "mapping"] as const).map(
      (kind) => new Type(tag, { kind, multi: true }),
    ),
  ),
});

/**
 * Reads the first object of YAML. Of a key that stands twice the last one counts. Dates stay texts, and so do numbers that
 * would change (`1.0`, `010`), because they may be versions or codes.
 *
 * @throws YAMLException for what is no YAML
 */
export function parseYaml(text: string): unknown {
  const documents = loadAll(text, null, { schema: SCHEMA, json: true });
  return documents.find(isObject) ?? documents[0];
}
