import { CHARTS } from "./charts.js";
import { COLOURS } from "./colours.js";
import { RUNS } from "./runs.js";
import { TABLES } from "./tables.js";
import { TEXT } from "./text.js";

/** The style sheet of reports: a printed report on a screen, with one accent colour. */
export const STYLE = [COLOURS, TEXT, TABLES, CHARTS, RUNS].join("\n");
