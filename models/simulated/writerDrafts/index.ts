import { DATES } from "./dates.js";
import { LIBRARY } from "./library.js";
import { NUMBERS } from "./numbers.js";
import { RECORDS } from "./records.js";
import type { WriterScript } from "./script.js";
import { TEXTS } from "./texts.js";

/** All that the writer knows: a script for each request of `eval creation`. */
export const WRITER_SCRIPTS: readonly WriterScript[] = [
  ...NUMBERS,
  ...TEXTS,
  ...DATES,
  ...RECORDS,
  ...LIBRARY,
];
