import { type ReactNode, useState } from "react";
import { Button, Form } from "../parts/Frame.js";
import { shortText } from "../parts/words.js";

/** The parts of a JSON schema that a form is made from. */
export interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
}

interface Editing {
  schema: Schema;
  value: unknown;
  isFixed: boolean;
  change: (value: unknown) => void;
}

/** What the model wanted, to show what differs; undefined if nothing was wanted. */
type Wanted = { value: unknown } | undefined;

/** The fields of an object, each by its schema. */
export function SchemaForm(props: Editing & { wanted: Wanted }) {
  const { schema, value, wanted, isFixed, change } = props;
  const { properties = {}, required = [] } = schema;
  const given = Object(value) as Record<string, unknown>;
  const names = [...new Set([...Object.keys(properties), ...Object.keys(given)])];
  if (names.length === 0) return <p className="muted">There is nothing to fill in.</p>;
  return (
    <div className="fields-form">
      {names.map((name) => (
        <PropertyField
          key={name}
          name={name}
          schema={properties[name] ?? asSchema(given[name])}
          isRequired={required.includes(name)}
          value={given[name]}
          wanted={wanted && { value: (Object(wanted.value) as Record<string, unknown>)[name] }}
          isFixed={isFixed}
          change={(next) => {
            const { [name]: _before, ...rest } = given;
            // Keeps the order of the fields; an emptied field is left out.
            change(next === undefined ? rest : { ...given, [name]: next });
          }}
        />
      ))}
    </div>
  );
}

/** A form of its own that is made from a schema. */
export function SchemaCard(props: {
  schema: Schema;
  /** Of its button. */
  words: string;
  send: (args: Record<string, unknown>) => void;
  children?: ReactNode;
}) {
  const { schema, words, send, children } = props;
  const [args, setArgs] = useState<unknown>({});
  return (
    <Form className="card box" send={() => send(args as Record<string, unknown>)}>
      <SchemaForm
        schema={schema}
        value={args}
        wanted={undefined}
        isFixed={false}
        change={setArgs}
      />
      <Button type="submit" kind="main">
        {words}
      </Button>
      {children}
    </Form>
  );
}

function PropertyField(props: Editing & { name: string; isRequired: boolean; wanted: Wanted }) {
  const { name, isRequired, wanted, ...editing } = props;
  const { schema, value, change } = editing;
  const isChanged = wanted !== undefined && JSON.stringify(wanted.value) !== JSON.stringify(value);
  const kind = kindOf(schema, value, isRequired);
  if (kind === "object" && schema.properties)
    return (
      <fieldset className="inner">
        <legend>{name}</legend>
        <SchemaForm {...editing} wanted={wanted} />
      </fieldset>
    );
  return (
    <label className={`field ${isChanged ? "changed" : ""}`}>
      <span className="label">
        {name}
        {!isRequired && kind !== "boolean" && <span className="muted"> (optional)</span>}
      </span>
      <Control kind={kind} {...editing} />
      {isChanged && (
        <span className="small was">
          The model proposed <del>{shortText(wanted.value ?? "nothing", 80)}</del>{" "}
          {kind !== "list" && kind !== "object" && (
            <Button kind="link" onClick={() => change(wanted.value)}>
              Undo
            </Button>
          )}
        </span>
      )}
      {schema.description && <span className="hint">{schema.description}</span>}
    </label>
  );
}

const WORDS: Record<string, string> = { true: "yes", false: "no" };

type Kind = "choice" | "boolean" | "number" | "string" | "list" | "object";

/** Whether something holds is chosen where it has to be said: an empty box would say no for whoever has not looked. */
function kindOf(schema: Schema, value: unknown, isRequired: boolean): Kind {
  if (schema.enum) return "choice";
  const types = [schema.type ?? asSchema(value).type ?? []].flat();
  if (types.includes("boolean")) return isRequired ? "choice" : "boolean";
  if (types.includes("number") || types.includes("integer")) return "number";
  if (types.includes("string")) return "string";
  return types.includes("array") && isSimple(schema, value) ? "list" : "object";
}

/** A list of texts or numbers has a line for each; others are written as data. */
function isSimple({ items }: Schema, value: unknown): boolean {
  const list = Array.isArray(value) ? value : [];
  return (
    ["string", "number", "integer"].includes(String(items?.type ?? "string")) &&
    list.every((item) => typeof item !== "object")
  );
}

function Control({ kind, ...editing }: Editing & { kind: Kind }) {
  const { schema, value, isFixed, change } = editing;
  if (kind === "choice") {
    const options = schema.enum ?? [true, false];
    const at = options.findIndex((option) => option === value);
    return (
      <select
        value={at}
        disabled={isFixed}
        onChange={({ target }) => change(options[Number(target.value)])}
      >
        {at < 0 && <option value={-1}>Choose …</option>}
        {options.map((option, index) => (
          <option key={index} value={index}>
            {WORDS[String(option)] ?? String(option)}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "boolean")
    return (
      <input
        type="checkbox"
        disabled={isFixed}
        checked={value === true}
        onChange={({ target }) => change(target.checked)}
      />
    );
  if (kind === "number")
    return (
      <input
        type="number"
        step="any"
        disabled={isFixed}
        value={typeof value === "number" ? value : ""}
        onChange={({ target }) => change(target.value === "" ? undefined : target.valueAsNumber)}
      />
    );
  if (kind === "string") return <TextControl {...editing} />;
  const first =
    kind === "list" && Array.isArray(value)
      ? value.join("\n")
      : (JSON.stringify(value, null, 2) ?? "");
  const read = kind === "list" ? linesFor(schema) : dataIn;
  return <ReadControl first={first} read={read} isFixed={isFixed} change={change} />;
}

function TextControl({ value, schema, isFixed, change }: Editing) {
  const text = typeof value === "string" ? value : value === undefined ? "" : shortText(value);
  const how = {
    readOnly: isFixed,
    value: text,
    onChange: ({ target }: { target: { value: string } }) => change(target.value),
  };
  if (text.length > 60 || text.includes("\n"))
    return <textarea rows={rowsFor(text, 3)} spellCheck={false} {...how} />;
  const isDate = schema.format === "date" && /^(?:\d{4}-\d{2}-\d{2})?$/.test(text);
  return <input type={isDate ? "date" : "text"} {...how} />;
}

/** A text that is read as a value; as long as it cannot be read, the last value counts. */
function ReadControl(props: {
  first: string;
  read: (text: string) => unknown;
  isFixed: boolean;
  change: (value: unknown) => void;
}) {
  const { first, read, isFixed, change } = props;
  const [text, setText] = useState(first);
  const [isWrong, setWrong] = useState(false);
  const take = (given: string) => {
    setText(given);
    try {
      change(read(given));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <>
      <textarea
        rows={rowsFor(text, 1)}
        spellCheck={false}
        readOnly={isFixed}
        aria-description={read === dataIn ? "As JSON" : "One item on each line"}
        aria-invalid={isWrong}
        value={text}
        onChange={({ target }) => take(target.value)}
      />
      {isWrong && (
        <span className="bad small">This is not valid yet; the last valid value is used.</span>
      )}
    </>
  );
}

function rowsFor(text: string, least: number): number {
  return Math.min(16, Math.max(least, text.split("\n").length));
}

/** Reads one item on each line. @throws Error for a number that is none */
function linesFor({ items }: Schema): (text: string) => unknown[] {
  const isNumbers = ["number", "integer"].includes(String(items?.type));
  return (text) => {
    const lines = text === "" ? [] : text.split("\n");
    if (!isNumbers) return lines;
    const numbers = lines.filter((line) => line.trim() !== "").map(Number);
    if (numbers.some(Number.isNaN)) throw new Error("not a number");
    return numbers;
  };
}

function dataIn(text: string): unknown {
  return text.trim() === "" ? undefined : JSON.parse(text);
}

/** What a value says about its own schema. */
export function asSchema(value: unknown): Schema {
  if (Array.isArray(value)) return { type: "array" };
  if (value === null || value === undefined) return {};
  if (typeof value !== "object") return { type: typeof value };
  const properties = Object.entries(value).map(([name, inner]) => [name, asSchema(inner)]);
  return { type: "object", properties: Object.fromEntries(properties) as Schema["properties"] };
}
