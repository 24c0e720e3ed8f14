import { readFileSync } from "node:fs";
import { decoded } from "./text.js";

/** The text of a file that somebody has written, without a byte order mark, which JSON and `.env` would stumble over. */
export function fileText(file: string): string {
  return decoded(readFileSync(file));
}
