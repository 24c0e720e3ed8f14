import { useState } from "react";
import { Button, Form } from "./Button.js";
import { hasKey, keepKey } from "./api.js";
import { Field, useTitle } from "./Frame.js";
import { keyIsGiven } from "./news.js";

/** Asks for a key where the server wants one. The tab keeps it until it is closed. */
export function KeyForm() {
  const [isWrong] = useState(hasKey);
  const [key, setKey] = useState("");
  useTitle("Key");
  const submit = () => {
    if (key.trim() === "") return;
    keepKey(key.trim());
    keyIsGiven();
  };
  return (
    <main className="gate">
      <Form className="card box" send={submit}>
        <h1>A key is required</h1>
        <p className="muted">
          The operator of this server can create one with <code>tulipgraph keys create</code>. The
          key stays in this tab until you close it.
        </p>
        {isWrong && (
          <p className="notice bad" role="alert">
            The server does not accept this key.
          </p>
        )}
        <Field label="Key">
          <input
            type="password"
            autoComplete="off"
            spellCheck={false}
            autoFocus
            value={key}
            onChange={({ target }) => setKey(target.value)}
          />
        </Field>
        <Button type="submit" kind="main">
          Continue
        </Button>
      </Form>
    </main>
  );
}
