import { useState } from "react";
import { counted } from "./words.js";

/** Rows and items that are shown before one asks for more. */
const FIRST = 10;

const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;

/** Data as people read it: lists of objects as tables, pictures as pictures, all else as text. */
export function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="muted">nothing</span>;
  if (typeof value === "string") return <TextValue text={value} />;
  if (typeof value !== "object") return <span className="mono">{JSON.stringify(value)}</span>;
  if (Array.isArray(value)) return <ListValue items={value} />;
  return <ObjectValue fields={value} />;
}

function TextValue({ text }: { text: string }) {
  if (PICTURE.test(text))
    return <img className="picture" src={text} alt="A picture, as the tool gave it" />;
  if (text === "") return <span className="muted">an empty text</span>;
  return (
    <span className={text.length > 80 || text.includes("\n") ? "text long" : "text"}>{text}</span>
  );
}

function ObjectValue({ fields }: { fields: object }) {
  const entries = Object.entries(fields);
  if (entries.length === 0) return <span className="muted">an empty object</span>;
  return (
    <dl className="fields">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function ListValue({ items }: { items: readonly unknown[] }) {
  const [shown, setShown] = useState(FIRST);
  if (items.length === 0) return <span className="muted">an empty list</span>;
  const some = items.slice(0, shown);
  const columns = columnsOf(items);
  return (
    <div className="list-value">
      {columns ? (
        <Table columns={columns} rows={some as object[]} />
      ) : (
        <ol className="plain-list">
          {some.map((item, at) => (
            <li key={at}>
              <Value value={item} />
            </li>
          ))}
        </ol>
      )}
      {items.length > shown && (
        <button type="button" className="link" onClick={() => setShown(shown + 100)}>
          {counted(items.length - shown, "more item")}
        </button>
      )}
    </div>
  );
}

/** The columns of a list of alike objects; undefined for another list. */
function columnsOf(items: readonly unknown[]): string[] | undefined {
  const rows = items.slice(0, 50);
  if (!rows.every(isRow)) return undefined;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row as object)))];
  return names.length > 0 && names.length <= 8 ? names : undefined;
}

function isRow(item: unknown): boolean {
  return typeof item === "object" && item !== null && !Array.isArray(item);
}

function Table({ columns, rows }: { columns: readonly string[]; rows: readonly object[] }) {
  return (
    <div className="table" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map((name) => (
                <td key={name}>
                  <Value value={Reflect.get(row, name)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
