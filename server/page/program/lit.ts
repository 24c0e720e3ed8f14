import { createContext } from "react";

/** The call that the reader points at, in the answer or in the program. */
export const LitContext = createContext<{
  lit: string | undefined;
  light: (call: string | undefined) => void;
}>({ lit: undefined, light: () => undefined });
