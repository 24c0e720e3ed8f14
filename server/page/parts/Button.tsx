import type { ComponentProps } from "react";

/** A button that sends no form, unless it says so; it may be the main one of its place, or look like a link. */
export function Button({ kind, ...rest }: ComponentProps<"button"> & { kind?: "main" | "link" }) {
  return <button type="button" className={kind} {...rest} />;
}

/** A form that a script sends. */
export function Form({ send, ...rest }: ComponentProps<"form"> & { send: () => unknown }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      {...rest}
    />
  );
}
