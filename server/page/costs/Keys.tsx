import { useState } from "react";
import type { ShownKey } from "../routes/keyRoutes.js";
import { SchemaCard } from "../approve/SchemaForm.js";
import { Button } from "../parts/Button.js";
import { Facts, Field, Loaded } from "../parts/Frame.js";
import { get, post, remove } from "../parts/api.js";
import { act } from "../parts/news.js";
import { useLive } from "../parts/useLive.js";
import { counted, timeText } from "../parts/words.js";

/** What is asked of a new key. */
const ASKED = {
  properties: {
    Name: { type: "string" },
    Owner: { type: "string", description: "Whose data it can see; leave empty for its own" },
    Days: { type: "integer", description: "Days until it expires; leave empty for no expiry" },
    Permissions: {
      type: "object",
      properties: {
        run: { type: "boolean", description: "Start runs" },
        read: { type: "boolean", description: "Read its owner's data" },
        approve: { type: "boolean", description: "Approve writes" },
        admin: { type: "boolean", description: "Everything, for every owner" },
      },
    },
  },
};

/** Keys and what they have used today; makes keys and revokes them. */
export function Keys() {
  const keys = useLive("keys", () => get<ShownKey[]>("/console/keys"));
  return (
    <Loaded of={keys}>
      {(all) => (
        <>
          {all.length === 0 && (
            <p className="muted">
              There are no keys, so anyone who can reach this server can use it.
            </p>
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
      return `${name || id} was revoked.`;
    });
  };
  return (
    <li className="card box">
      <h3>
        {name || id} <span className={`badge ${state === "valid" ? "good" : "bad"}`}>{state}</span>
      </h3>
      <Facts
        of={[
          ["Id", id],
          ["Sees", owner === `key:${id}` ? "its own data" : `the data of ${owner}`],
          ["Scopes", scopes.join(", ")],
          ["Last used", timeText(lastUsedAt)],
          ["Expires", timeText(expiresAt)],
          ["Today", `${counted(today.runs, "run")}, ${counted(today.tokens, "token")}`],
        ]}
      />
      {state === "valid" && (
        <Button onClick={revoke}>
          {isSure ? "Press again to confirm" : `Revoke ${name || id}`}
        </Button>
      )}
    </li>
  );
}

function NewKey({ made }: { made: () => void }) {
  const [secret, setSecret] = useState("");
  const send = (asked: Record<string, unknown>) =>
    void act(async () => {
      const { Name: name, Owner, Days: days, Permissions: may } = asked;
      const scopes = Object.entries(Object(may) as object).flatMap(([scope, isChosen]) =>
        isChosen ? scope : [],
      );
      const wanted = { name, owner: Owner || undefined, days, scopes };
      setSecret((await post<{ secret: string }>("/console/keys", wanted)).secret);
      made();
      return "Key created. Its secret is shown only once.";
    });
  return (
    <>
      <h3>New key</h3>
      <SchemaCard key={secret} schema={ASKED} words="Create key" send={send}>
        {secret !== "" && (
          <Field label="Secret (shown only once)">
            <input
              type="text"
              readOnly
              className="mono"
              value={secret}
              onFocus={({ target }) => target.select()}
            />
          </Field>
        )}
      </SchemaCard>
    </>
  );
}
