import { useState } from "react";
import type { ShownKey } from "../../console/keyRoutes.js";
import { Field, Loaded } from "../parts/Frame.js";
import { get, post, remove } from "../parts/api.js";
import { act, tell } from "../parts/news.js";
import { useLive } from "../parts/useLive.js";
import { timeText } from "../parts/words.js";

const SCOPES: [scope: string, words: string][] = [
  ["run", "start runs"],
  ["read", "read its owner's data"],
  ["approve", "decide on writes"],
  ["admin", "everything, for every owner"],
];

/** Keys and what they have used today; makes keys and revokes them. */
export function Keys() {
  const keys = useLive("keys", () => get<ShownKey[]>("/console/keys"));
  return (
    <Loaded of={keys}>
      {(all) => (
        <>
          {all.length === 0 && (
            <p className="muted">There are no keys: anybody who reaches this server may use it.</p>
          )}
          <ul className="cards">
            {all.map((key) => (
              <KeyCard key={key.id} shown={key} changed={keys.reload} />
            ))}
          </ul>
          <NewKey made={keys.reload} />
        </>
      )}
    </Loaded>
  );
}

function KeyCard({ shown, changed }: { shown: ShownKey; changed: () => void }) {
  const { id, name, owner, scopes, state, lastUsedAt, expiresAt, today } = shown;
  const [isSure, setSure] = useState(false);
  const revoke = () => {
    // Only a second press revokes it.
    if (!isSure) return setSure(true);
    void act(async () => {
      await remove(`/console/keys/${encodeURIComponent(id)}`);
      changed();
      return `${name || id} is revoked.`;
    });
  };
  const facts = [
    ["Id", id],
    ["Data", owner === id ? "its own" : `those of ${owner}`],
    ["Scopes", scopes.join(", ")],
    ["Last used", timeText(lastUsedAt)],
    ["Valid", `until ${expiresAt === null ? "it is revoked" : timeText(expiresAt)}`],
    [
      "Today",
      `${today.runs} runs, ${today.tokens.toLocaleString("en")} tokens, $${today.usd.toFixed(2)}`,
    ],
  ];
  return (
    <li className="card key">
      <h3>
        {name || id} <span className={`badge ${state === "valid" ? "good" : "bad"}`}>{state}</span>
      </h3>
      <dl className="facts">
        {facts.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {state === "valid" && (
        <button type="button" onClick={revoke}>
          {isSure ? "Press again to revoke it for good" : `Revoke ${name || id}`}
        </button>
      )}
    </li>
  );
}

function NewKey({ made }: { made: () => void }) {
  const [name, setName] = useState("");
  const [owner, setOwner] = useState("");
  const [days, setDays] = useState("");
  const [scopes, setScopes] = useState<string[]>([]);
  const [secret, setSecret] = useState("");
  const send = () => {
    if (scopes.length === 0) return tell("Choose what the key may do.", true);
    void act(async () => {
      const wanted = {
        name,
        scopes,
        ...(owner && { owner }),
        ...(days && { days: Number(days) }),
      };
      const { secret: shown } = await post<{ secret: string }>("/console/keys", wanted);
      setSecret(shown);
      setName("");
      made();
      return "The key has been made. Its secret is shown only now.";
    });
  };
  return (
    <form
      className="card new-key"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <h3>A new key</h3>
      <div className="row">
        <Field label="Name">
          <input
            type="text"
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field label="Owner (empty: its own data)">
          <input
            type="text"
            autoComplete="off"
            value={owner}
            onChange={({ target }) => setOwner(target.value)}
          />
        </Field>
        <Field label="Days (empty: for ever)">
          <input
            type="number"
            min="1"
            max="3650"
            value={days}
            onChange={({ target }) => setDays(target.value)}
          />
        </Field>
      </div>
      <fieldset>
        <legend>It may</legend>
        {SCOPES.map(([scope, words]) => (
          <label key={scope} className="check">
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes((before) =>
                  target.checked ? [...before, scope] : before.filter((one) => one !== scope),
                )
              }
            />
            <span>
              {words} <span className="muted">({scope})</span>
            </span>
          </label>
        ))}
      </fieldset>
      <button type="submit" className="main">
        Make a key
      </button>
      {secret !== "" && (
        <Field label="The secret, shown this once">
          <input
            type="text"
            readOnly
            className="mono"
            value={secret}
            onFocus={({ target }) => target.select()}
          />
        </Field>
      )}
    </form>
  );
}
