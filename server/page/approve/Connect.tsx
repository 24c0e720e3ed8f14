import { useEffect, useState } from "react";
import type { WantedConnection } from "../../../tools/remote.js";
import { Button, Field } from "../parts/Frame.js";
import { HERE, post, act } from "../parts/api.js";
import type { Request } from "./decide.js";

type Wanted = WantedConnection & { source: string; message: string };

/** What the server answers when somebody connects: a page to log in at, if there is one. */
interface Connected {
  open?: string;
}

/** What a run waits for that needs its owner's own credentials. They go to the server, and never into the run. */
export function Connect({ request, decided }: { request: Request; decided: () => void }) {
  const { connect = [] } = request as Request & { connect?: Wanted[] };
  return connect.map((wanted) => (
    <ConnectForm key={wanted.source} wanted={wanted} decided={decided} />
  ));
}

function ConnectForm({ wanted, decided }: { wanted: Wanted; decided: () => void }) {
  const { source, message, way, fields, path } = wanted;
  const [values, setValues] = useState<Record<string, string>>({});
  const send = () =>
    void act(async () => {
      const { open } = await post<Connected>(path, values);
      if (open) location.assign(open);
      else decided();
      return open ? `Log in at ${source}.` : "Connected. The run continues.";
    });
  return (
    <section aria-label={`Connect to ${source}`}>
      <h3>Connect to {source}</h3>
      <p>{message}</p>
      {fields.map((field) => (
        <Field key={field} label={field}>
          <input
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={values[field] ?? ""}
            onChange={({ target }) => setValues({ ...values, [field]: target.value })}
          />
        </Field>
      ))}
      {(way === "key" || way === "login") && (
        <Button kind="main" onClick={send}>
          {way === "login" ? "Log in" : "Connect"}
        </Button>
      )}
    </section>
  );
}

/** Where the browser comes back to from a login. */
const BACK = "/connected";

/** Sends on what the browser has brought back from a login, with the key of whoever uses this page. */
export function BackFromLogin() {
  useEffect(() => {
    if (!location.pathname.endsWith(BACK)) return;
    const answer = location.search.slice(1);
    // The answer counts once, and belongs in no history.
    history.replaceState(null, "", `${HERE}/#approvals`);
    void act(async () => {
      const { source } = await post<{ source: string }>(BACK, { answer });
      return `Connected to ${source}.`;
    });
  }, []);
  return null;
}
