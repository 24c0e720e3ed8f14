import { type ReactNode, useContext } from "react";
import { Facts, Loaded, Rows } from "./Frame.js";
import { RunContext } from "./api.js";
import { useFetched } from "./useLive.js";
import { counted } from "./words.js";

const FIRST = 10;

const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;

const FILE = /^data:[\w.+-]+\/[\w.+-]+(?=;base64,[A-Za-z0-9+/=]+$)/;

/** A browser only saves what has no type of its own. */
const NO_TYPE = "data:application/octet-stream";

/** What a tool's server has sent, and this server has kept. */
const KEPT = /^received\/([\w-]+\.[\w-]+)$/;

function fileOf(value: unknown): string | undefined {
  return KEPT.exec(String(Object(value).file))?.[1];
}

/** Whether a result is a picture or another file, or has one beside its texts. */
export function hasFile(result: unknown): boolean {
  return [result].flat().some((part) => fileOf(part) !== undefined);
}

/** Data as people read it: lists of objects as tables, pictures as pictures, all else as text. */
export function Value({ value }: { value: unknown }) {
  const run = useContext(RunContext);
  if (value === null || value === undefined) return <span className="muted">nothing</span>;
  if (typeof value === "string") return <TextValue text={value} />;
  if (typeof value !== "object") return <span className="mono">{JSON.stringify(value)}</span>;
  if (Array.isArray(value)) return <ListValue items={value} />;
  const file = fileOf(value);
  if (file && run) return <Received path={`/console/runs/${run}/received/${file}`} of={value} />;
  const fields = Object.entries(value);
  if (fields.length === 0) return <span className="muted">empty object</span>;
  return <Facts isWide of={fields.map(([name, inner]) => [name, <Value value={inner} />])} />;
}

/** A picture as such, or another file to be saved, with what its tool says about it. */
function Received({ path, of }: { path: string; of: object }) {
  const { uri, mimeType, bytes = 0 } = of as { uri?: string; mimeType?: string; bytes?: number };
  const about = [uri, mimeType, counted(bytes, "byte")].filter(Boolean).join(" · ");
  const file = useFetched<{ url: string }>(path);
  return (
    <Loaded of={file}>
      {({ url }) => (
        <figure>
          <TextValue text={url} name={path.split("/").at(-1)} />
          <figcaption className="muted small">{about}</figcaption>
        </figure>
      )}
    </Loaded>
  );
}

function TextValue({ text, name = "" }: { text: string; name?: string }) {
  if (PICTURE.test(text))
    return <img className="picture" src={text} alt="Picture returned by the tool" />;
  if (FILE.test(text))
    return (
      <a href={text.replace(FILE, NO_TYPE)} download={name}>
        Save file
      </a>
    );
  if (text === "") return <span className="muted">empty text</span>;
  return (
    <span className={text.length > 80 || text.includes("\n") ? "text long" : "text"}>{text}</span>
  );
}

function ListValue({ items }: { items: readonly unknown[] }) {
  if (items.length === 0) return <span className="muted">empty list</span>;
  const columns = columnsOf(items);
  return (
    <div className="list-value">
      <Rows of={items} first={FIRST}>
        {(some) =>
          columns ? (
            <Table
              label="Table"
              columns={columns}
              rows={some.map((row) =>
                columns.map((name) => <Value value={Reflect.get(Object(row), name)} />),
              )}
            />
          ) : (
            <ol className="plain-list">
              {some.map((item, at) => (
                <li key={at}>
                  <Value value={item} />
                </li>
              ))}
            </ol>
          )
        }
      </Rows>
    </div>
  );
}

/** The columns of a list of alike objects; undefined for another list. */
function columnsOf(items: readonly unknown[]): string[] | undefined {
  const rows = items.slice(0, 50);
  if (!rows.every((row) => row !== null && typeof row === "object" && !Array.isArray(row)))
    return undefined;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row as object)))];
  return names.length > 0 && names.length <= 8 ? names : undefined;
}

/** A table that scrolls within its place. */
export function Table(props: {
  label: string;
  columns: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}) {
  const { label, columns, rows } = props;
  return (
    <div className="table" tabIndex={0} role="region" aria-label={label}>
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
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, at) => (
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
