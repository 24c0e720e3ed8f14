import { type DestinationStream, type Level, destination, pino } from "pino";
import { withoutSecretsIn } from "../../common/secrets.js";

/** One thing that has happened: an event and its facts, never the contents of a request or a reply. */
export type LogEntry = { level: "info" | "warn" | "error"; event: string } & Record<
  string,
  unknown
>;

/** The variable by which less is written: error · warn · info · silent. */
const LEVEL = "TULIPGRAPH_LOG_LEVEL";
const LEVELS = ["error", "warn", "info", "silent"];

/**
 * Writes what happens to stderr, an object of JSON a line, or in words where a person looks at a terminal. Keys and
 * passwords are replaced wherever they stand.
 *
 * @param output where to, instead of stderr
 */
export function openLog(output?: DestinationStream): (entry: LogEntry) => void {
  const wanted = process.env[LEVEL] ?? "";
  const logger = pino(
    {
      level: LEVELS.includes(wanted) ? wanted : "info",
      base: null,
      messageKey: "event",
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (facts) => withoutSecretsIn(facts),
      },
    },
    // Not kept back: what is written last is what explains how a process has died.
    output ?? (process.stderr.isTTY ? inWords() : destination({ dest: 2, sync: true })),
  );
  return ({ level, event, ...facts }) => logger[level satisfies Level](facts, event);
}

/** Lines for a terminal: `12:00:05 request POST /threads 200 …`. */
function inWords(): DestinationStream {
  return { write: (line) => void process.stderr.write(lineInWords(line)) };
}

/** A line of JSON as words. */
export function lineInWords(line: string): string {
  const { time, level, event, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const said = Object.entries(facts).map(([name, value]) => `${name}=${plain(value)}`);
  const mark = level === "info" ? [] : [String(level)];
  return `${[String(time).slice(11, 19), ...mark, event, ...said].join(" ")}\n`;
}

/** Without quotes where it is one word: control characters stay written out, so that no value forges a line. */
function plain(value: unknown): string {
  const text = JSON.stringify(value);
  return typeof value === "string" && text === `"${value}"` && /^\S+$/.test(value) ? value : text;
}
