import { inspect } from "node:util";

/** The styles that this program uses itself. */
const STYLES = ["bold", "dim", "cyan"] as const;
export type Style = (typeof STYLES)[number];

/** The escape codes of these styles. */
const OWN_CODES = STYLES.flatMap((style) =>
  (inspect.colors[style] ?? []).map((code) => `\u001b[${code}m`),
);

/**
 * Characters that a terminal obeys instead of showing, or that change the direction of the text after them. Line ends
 * and tabs are harmless.
 */
const CONTROLS =
  /\r(?!\n)|(?![\n\r\t])\p{Cc}|[\u{61c}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2066}-\u{2069}]/gu;

/**
 * A text with its control characters written out as in JSON (`\\u001b`), so that the output of a model, a tool or a
 * file cannot colour, clear or retitle the terminal, or hide parts of itself. JSON keeps its value.
 *
 * @param options.styles whether to keep the styles of this program
 */
export function visibleControls(text: string, { styles }: { styles: boolean }): string {
  return text.replaceAll(CONTROLS, (control, at: number) => {
    const isOwn = styles && OWN_CODES.some((code) => text.startsWith(code, at));
    return isOwn ? control : `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/**
 * Until undone, this process writes no control characters to a terminal except its own styles.
 */
export function guardOutput(): { undo: () => void } {
  const undone = [process.stdout, process.stderr].map(guardStream);
  return { undo: () => undone.forEach((undo) => undo()) };
}

function guardStream(stream: NodeJS.WriteStream): () => void {
  const write = stream.write.bind(stream);
  const free = write as (...args: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...more: unknown[]) => {
    const text = typeof chunk === "string";
    return free(text ? visibleControls(chunk, { styles: stream.isTTY }) : chunk, ...more);
  };
  return () => {
    stream.write = write;
  };
}
