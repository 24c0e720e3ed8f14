import { useId } from "react";
import { Field } from "../parts/Frame.js";
import { shortText } from "../parts/words.js";
import { SchemaForm, asSchema } from "./SchemaForm.js";
import type { Action, Draft } from "./decide.js";

const WHAT: Record<string, string> = {
  create_tool: "adds a tool",
  update_tool: "changes a tool",
  delete_tool: "deletes a tool",
};

/** One action as a form: the tool, its values, and whether it may be called. */
export function ActionForm(props: {
  action: Action;
  kind: string;
  /** "1 of 2"; empty if it is alone. */
  title: string;
  draft: Draft;
  change: (draft: Draft) => void;
}) {
  const { action, kind, title, draft, change } = props;
  const { name, args, description, allowed, schema, question } = action;
  const heading = useId();
  const mayEdit = allowed.includes("edit") && !draft.isRejected;
  const isChange = name in WHAT;
  return (
    <li
      className={`action card box ${draft.isRejected ? "rejected" : ""}`}
      aria-labelledby={heading}
    >
      <header>
        <h4 id={heading}>
          {title && <span className="muted">{title} </span>}
          <span className="kind write">
            {WHAT[name] ?? (kind === "writes" ? "writes" : "calls")}
          </span>{" "}
          <span className="tool">{isChange ? shortText(args["tool"] ?? "") : name}</span>
        </h4>
        {allowed.includes("reject") && (
          <label className="check">
            <input
              type="checkbox"
              checked={draft.isRejected}
              onChange={({ target }) => change({ ...draft, isRejected: target.checked })}
            />
            {question ? "Decline" : "Reject"}
          </label>
        )}
      </header>
      {description && <p className="small">{description}</p>}
      {draft.isRejected && !question && (
        <Field label="Reason (optional; the model will see it)">
          <input
            type="text"
            autoComplete="off"
            value={draft.reason}
            onChange={({ target }) => change({ ...draft, reason: target.value })}
          />
        </Field>
      )}
      {!draft.isRejected && (
        <SchemaForm
          schema={schema && kind !== "edit" ? schema : asSchema(args)}
          value={draft.args}
          wanted={question ? undefined : { value: args }}
          isFixed={!mayEdit}
          change={(given) => change({ ...draft, args: given as Draft["args"] })}
        />
      )}
    </li>
  );
}
