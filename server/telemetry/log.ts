import { type DestinationStream, type Level, destination, pino } from "pino";
import { withoutSecretsIn } from "../../common/secrets.js";

/** An event and its facts, never the contents of a request or a reply. */
export type LogEntry = { level: "info" | "warn" | "error"; event: string } & Record<
  string,
  unknown
>;

/** The variable that sets how much is logged: error · warn · info · silent. */
const LEVEL = "TULIPGRAPH_LOG_LEVEL";
const LEVELS = ["error", "warn", "info", "silent"];

/**
 * Opens the log on stderr: a line of JSON for each event, or plain words if stderr is a terminal. Keys and passwords
 * are replaced wherever they occur.
 *
 * @param output where to write instead of stderr
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
    // Written at once: the last lines explain how a process has died.
    output ?? (process.stderr.isTTY ? TERMINAL : destination({ dest: 2, sync: true })),
  );
  return ({ level, event, ...facts }) => logger[level satisfies Level](facts, event);
}

const TERMINAL: DestinationStream = {
  write: (line) => void process.stderr.write(lineInWords(line)),
};

/** A line of JSON for a terminal: `12:00:05 request id=… method=POST …`. */
export function lineInWords(line: string): string {
  const { time, level, event, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const words = Object.entries(facts).map(([name, value]) => `${name}=${plain(value)}`);
  const mark = level === "info" ? [] : [String(level)];
  return `${[String(time).slice(11, 19), ...mark, event, ...words].join(" ")}\n`;
}

/** Without quotes if it is one word. Control characters stay escaped, so that no value can forge a line. */
function plain(value: unknown): string {
  const text = JSON.stringify(value);
  return typeof value === "string" && text === `"${value}"` && /^\S+$/.test(value) ? value : text;
}
