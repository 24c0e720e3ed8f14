import { useState } from "react";
import { shortText } from "../parts/words.js";

/** The parts of a JSON schema that a form is made from. */
interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
  anyOf?: Schema[];
}

interface FormProps {
  schema: object;
  value: unknown;
  /** What the model wanted, to show what differs; undefined if nothing was wanted. */
  wanted: unknown;
  isFixed: boolean;
  change: (value: unknown) => void;
}

/** The fields of an object, each by its schema. */
export function SchemaForm({ schema, value, wanted, isFixed, change }: FormProps) {
  const { properties = {}, required = [] } = schema as Schema;
  const given = Object(value) as Record<string, unknown>;
  const names = [...new Set([...Object.keys(properties), ...Object.keys(given)])];
  const shown = names.filter((name) => properties[name]?.const === undefined);
  if (shown.length === 0) return <p className="muted">It takes no arguments.</p>;
  return (
    <div className="fields-form">
      {shown.map((name) => (
        <PropertyField
          key={name}
          name={name}
          schema={properties[name] ?? asSchema(given[name])}
          isRequired={required.includes(name)}
          value={given[name]}
          wanted={
            wanted === undefined
              ? undefined
              : { value: (Object(wanted) as Record<string, unknown>)[name] }
          }
          isFixed={isFixed}
          change={(next) => {
            const { [name]: _before, ...rest } = given;
            // Keeps the order of the fields; an emptied field is left out.
            const all = { ...given, [name]: next };
            change(next === undefined ? rest : all);
          }}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  name: string;
  schema: Schema;
  isRequired: boolean;
  value: unknown;
  wanted: { value: unknown } | undefined;
  isFixed: boolean;
  change: (value: unknown) => void;
}

function PropertyField(props: FieldProps) {
  const { name, schema, isRequired, value, wanted, isFixed, change } = props;
  const isChanged = wanted !== undefined && JSON.stringify(wanted.value) !== JSON.stringify(value);
  const kind = kindOf(schema, value);
  if (kind === "object" && schema.properties) {
    return (
      <fieldset className="inner">
        <legend>{name}</legend>
        <SchemaForm
          schema={schema}
          value={value}
          wanted={wanted?.value}
          isFixed={isFixed}
          change={change}
        />
      </fieldset>
    );
  }
  return (
    <label className={`field ${isChanged ? "changed" : ""}`}>
      <span className="label">
        {name}
        {!isRequired && <span className="muted"> (optional)</span>}
      </span>
      <Control kind={kind} schema={schema} value={value} isFixed={isFixed} change={change} />
      {isChanged && (
        <span className="was">
          The model wanted <del>{shortText(wanted.value ?? "nothing", 80)}</del>{" "}
          {kind !== "list" && kind !== "other" && (
            <button type="button" className="link" onClick={() => change(wanted.value)}>
              Undo
            </button>
          )}
        </span>
      )}
      {schema.description && <span className="hint">{schema.description}</span>}
    </label>
  );
}

type Kind = "choice" | "truth" | "number" | "text" | "list" | "object" | "other";

function kindOf(schema: Schema, value: unknown): Kind {
  if (schema.enum) return "choice";
  const types = [schema.type ?? asSchema(value).type ?? []].flat();
  if (types.includes("boolean")) return "truth";
  if (types.includes("number") || types.includes("integer")) return "number";
  if (types.includes("string")) return "text";
  if (types.includes("array")) return isSimple(schema, value) ? "list" : "other";
  return types.includes("object") ? "object" : "other";
}

/** A list of texts or numbers has a line for each; others are written as data. */
function isSimple({ items }: Schema, value: unknown): boolean {
  const list = Array.isArray(value) ? value : [];
  return (
    ["string", "number", "integer"].includes(String(items?.type ?? "string")) &&
    list.every((item) => typeof item !== "object")
  );
}

interface ControlProps {
  kind: Kind;
  schema: Schema;
  value: unknown;
  isFixed: boolean;
  change: (value: unknown) => void;
}

function Control({ kind, schema, value, isFixed, change }: ControlProps) {
  if (kind === "choice") {
    const options = schema.enum ?? [];
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
            {String(option)}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "truth")
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
  if (kind === "text")
    return <TextControl value={value} schema={schema} isFixed={isFixed} change={change} />;
  if (kind === "list")
    return <ListControl value={value} schema={schema} isFixed={isFixed} change={change} />;
  return <DataControl value={value} isFixed={isFixed} change={change} />;
}

type InnerProps = Omit<ControlProps, "kind">;

function TextControl({ value, schema, isFixed, change }: InnerProps) {
  const text = typeof value === "string" ? value : value === undefined ? "" : shortText(value);
  const take = ({ target }: { target: { value: string } }) => change(target.value);
  if (text.length > 60 || text.includes("\n"))
    return (
      <textarea
        rows={Math.min(16, Math.max(3, text.split("\n").length))}
        spellCheck={false}
        readOnly={isFixed}
        value={text}
        onChange={take}
      />
    );
  const isDate = schema.format === "date" && /^(?:\d{4}-\d{2}-\d{2})?$/.test(text);
  return <input type={isDate ? "date" : "text"} readOnly={isFixed} value={text} onChange={take} />;
}

/** One item on each line. */
function ListControl({ value, schema, isFixed, change }: InnerProps) {
  const items = Array.isArray(value) ? value : [];
  const isNumbers = ["number", "integer"].includes(String(schema.items?.type));
  const read = (text: string) => {
    const lines = text.split("\n");
    return isNumbers ? lines.filter((line) => line.trim() !== "").map(Number) : lines;
  };
  return (
    <textarea
      rows={Math.min(10, items.length + 1)}
      aria-description="One item on each line"
      readOnly={isFixed}
      defaultValue={items.join("\n")}
      onChange={({ target }) => change(target.value === "" ? [] : read(target.value))}
    />
  );
}

/** Data of no simple form, as JSON. */
function DataControl({ value, isFixed, change }: Omit<InnerProps, "schema">) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2) ?? "");
  const [isWrong, setWrong] = useState(false);
  return (
    <>
      <textarea
        rows={Math.min(12, text.split("\n").length + 1)}
        spellCheck={false}
        readOnly={isFixed}
        aria-invalid={isWrong}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          try {
            change(target.value.trim() === "" ? undefined : JSON.parse(target.value));
            setWrong(false);
          } catch {
            setWrong(true);
          }
        }}
      />
      {isWrong && (
        <span className="bad small">This is not JSON yet; the last valid value counts.</span>
      )}
    </>
  );
}

/** What a value says about its own schema. */
export function asSchema(value: unknown): Schema {
  if (Array.isArray(value)) return { type: "array" };
  if (value === null || value === undefined) return {};
  if (typeof value === "object")
    return {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, asSchema(inner)]),
      ),
    };
  return { type: typeof value };
}
