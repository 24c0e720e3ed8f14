import { useId } from "react";
import { shortText } from "../parts/words.js";
import { SchemaForm, asSchema } from "./SchemaForm.js";
import { type Action, type Draft, isAnswered, isEdited } from "./decide.js";

const WHAT: Record<string, string> = {
  create_tool: "adds a tool",
  update_tool: "changes a tool",
  delete_tool: "deletes a tool",
};

/** One action as a form: what is to be done, with which values, and whether it shall be. */
export function ActionForm(props: {
  action: Action;
  kind: string;
  /** "1 of 2"; empty if it is alone. */
  title: string;
  draft: Draft;
  change: (draft: Draft) => void;
}) {
  const { action, kind, title, draft, change } = props;
  const { name, args, description, allowed, schema } = action;
  const heading = useId();
  const mayEdit = allowed.includes("edit") && !draft.isRejected;
  const isChange = name in WHAT;
  return (
    <li className={`action ${draft.isRejected ? "rejected" : ""}`} aria-labelledby={heading}>
      <header>
        <h4 id={heading}>
          {title && <span className="muted">{title} </span>}
          <span className="kind write">
            {WHAT[name] ?? (kind === "writes" ? "writes" : "calls")}
          </span>{" "}
          <span className="tool">{isChange ? shortText(args["tool"] ?? "") : name}</span>
        </h4>
        {allowed.includes("reject") && (
          <Verdict
            name={name}
            isRejected={draft.isRejected}
            isEdited={isEdited(action, draft)}
            choose={(isRejected) => change({ ...draft, isRejected })}
          />
        )}
      </header>
      {description && <p className="what">{description}</p>}
      {draft.isRejected ? (
        <label className="field">
          <span className="label">Why (optional; the model reads it)</span>
          <input
            type="text"
            autoComplete="off"
            value={draft.reason}
            onChange={({ target }) => change({ ...draft, reason: target.value })}
          />
        </label>
      ) : (
        <SchemaForm
          schema={schemaFor(schema, args, kind)}
          value={draft.args}
          wanted={isAnswered(kind) ? undefined : args}
          isFixed={!mayEdit}
          change={(given) => change({ ...draft, args: given as Draft["args"] })}
        />
      )}
    </li>
  );
}

/** A schema of what is there, for actions without one. */
function schemaFor(schema: object | undefined, args: object, kind: string): object {
  if (schema && kind !== "edit") return schema;
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, asSchema(value)]),
    ),
  };
}

function Verdict(props: {
  name: string;
  isRejected: boolean;
  isEdited: boolean;
  choose: (isRejected: boolean) => void;
}) {
  const { name, isRejected, isEdited: isChanged, choose } = props;
  const group = useId();
  return (
    <fieldset className="verdict">
      <legend className="unseen">Decision on {shortText(name, 60)}</legend>
      <label>
        <input type="radio" name={group} checked={!isRejected} onChange={() => choose(false)} />
        <span>{isChanged ? "Approve changed" : "Approve"}</span>
      </label>
      <label>
        <input type="radio" name={group} checked={isRejected} onChange={() => choose(true)} />
        <span>Reject</span>
      </label>
    </fieldset>
  );
}
