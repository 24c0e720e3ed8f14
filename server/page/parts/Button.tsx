import type { ComponentProps, KeyboardEvent } from "react";

/** A button that sends no form, unless it says so; it may be the main one of its place, or look like a link. */
export function Button({ kind, ...rest }: ComponentProps<"button"> & { kind?: "main" | "link" }) {
  return <button type="button" className={kind} {...rest} />;
}

/** A form that a script sends. From the fields of a careful one, Ctrl+Enter sends it, and Enter alone does not. */
export function Form({
  send,
  isCareful = false,
  ...rest
}: ComponentProps<"form"> & { send: () => unknown; isCareful?: boolean }) {
  const enter = (event: KeyboardEvent<HTMLFormElement>) => {
    const { key, target, ctrlKey, metaKey } = event;
    if (key !== "Enter") return;
    const isMeant = isCareful && (ctrlKey || metaKey);
    const isBox = target instanceof HTMLInputElement && target.type === "checkbox";
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (isMeant || isBox || (isCareful && isField)) event.preventDefault();
    if (isMeant) send();
    else if (isBox) target.click();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={enter}
      {...rest}
    />
  );
}
