import { z } from "zod";
import { LibraryFailed } from "../../../common/errors.js";
import type { Credential } from "./auth.js";

/** How to read a document again and call its operations; never contains a secret. */
export interface OpenApiSettings {
  /** The absolute path of a file, or an address. */
  document: string;
  /** Where the API answers, if not where the document says. */
  base?: string;
  /** Patterns that select operations; absent for all. */
  only?: string[];
  auth: Record<string, Credential>;
}

const form = z.object({
  document: z.string(),
  base: z.string().optional(),
  only: z.array(z.string()).optional(),
  auth: z
    .record(
      z.string(),
      z.object({
        as: z.enum(["bearer", "basic", "header", "query", "cookie"]),
        name: z.string().optional(),
        value: z.string(),
        always: z.literal(true).optional(),
      }),
    )
    .default({}),
});

/**
 * The settings of a source as a home stores them.
 *
 * @throws LibraryFailed for settings of another version
 */
export function openApiSettings(source: string, settings: unknown): OpenApiSettings {
  const { data } = form.safeParse(settings);
  if (data) return data;
  throw new LibraryFailed({
    library: source,
    problem: "the settings of this source cannot be read",
    hint: "Import its document again",
  });
}
