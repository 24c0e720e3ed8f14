import { z } from "zod";

/** A boolean; some models write JSON booleans as strings. */
export const truth = z.preprocess(
  (value) => z.stringbool().safeParse(value).data ?? value,
  z.boolean(),
);
