import { Readable, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { assert, integer, property, string } from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { printTable, bold, printHanging, saysYes, wrapText } from "../../../cli/printing/print.js";
import { whileWorking } from "../../../cli/printing/longWork.js";
import { pretendTerminal } from "../support.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** The lines that are printed to stdout during the call. */
function printed(print: () => void): string[] {
  let text = "";
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((part) => {
    text += String(part);
    return true;
  });
  print();
  spy.mockRestore();
  return text.split("\n").slice(0, -1);
}

describe("a text on a terminal", () => {
  it("loses nothing and is only wider than the terminal where a word is", () => {
    assert(
      property(string({ maxLength: 80 }), integer({ min: 1, max: 30 }), (text, width) => {
        const plain = stripVTControlCharacters(text).replaceAll(/\r?\n/g, " ");
        const lines = wrapText({ text: plain, width });
        const wide = lines.filter((line) => line.length > width);
        expect(wide.filter((line) => /\S\s+\S/.test(line))).toEqual([]);
        expect(lines.join("").replaceAll(/\s/g, "")).toBe(plain.replaceAll(/\s/g, ""));
      }),
    );
  });

  it("is indented under itself if it follows a label", () => {
    pretendTerminal(32);
    const lines = printed(() =>
      printHanging({ label: "act  ", text: "a text with some more words in it" }),
    );
    expect(lines).toEqual(["act  a text with some more words", "     in it"]);
  });

  it("stands below its label where it would become a thin column, and is not wrapped in a pipe", () => {
    const text = "a text of more than twenty columns";
    pretendTerminal(30);
    expect(printed(() => printHanging({ label: "a label of its own  ", text }))).toEqual([
      "a label of its own",
      "  a text of more than twenty",
      "  columns",
    ]);
    pretendTerminal();
    expect(printed(() => printHanging({ text }))).toEqual([text]);
  });
});

it("a question is asked without codes that move the cursor, which would be shown and not obeyed", async () => {
  pretendTerminal(80);
  let asked = "";
  const output = Object.assign(
    new Writable({ write: (part, _encoding, done) => (done(), void (asked += String(part))) }),
    { isTTY: true, columns: 80 },
  );
  vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from(["y\n"]) as never);
  vi.spyOn(process, "stderr", "get").mockReturnValue(output as never);
  expect(await saysYes("Write it?")).toBe(true);
  expect(asked).toBe("Write it? [y/N] ");
});

describe("a table", () => {
  const rows = [
    ["a", "one", "the first of these rows is rather long"],
    ["bcd", "three", "short"],
  ];

  it("has aligned columns, of which the last one is wrapped or cut", () => {
    pretendTerminal(38);
    expect(printed(() => printTable({ rows }))).toEqual([
      "a    one    the first of these rows is",
      "            rather long",
      "bcd  three  short",
    ]);
    expect(printed(() => printTable({ rows, last: "cut" }))).toEqual([
      "a    one    the first of these rows i…",
      "bcd  three  short",
    ]);
  });

  it("that is too wide has a broken head, and columns without room below, behind what names the row", () => {
    const figures = [
      ["graph", "runs", "right (in numbers)", "cost"],
      ["tulip", "4", "1.00", "$0.0005"],
    ];
    pretendTerminal(35);
    expect(printed(() => printTable({ rows: figures, keys: 1 }))).toEqual([
      "graph  runs  right     cost",
      "             (in",
      "             numbers)",
      "tulip  4     1.00      $0.0005",
    ]);
    pretendTerminal(24);
    expect(printed(() => printTable({ rows: figures, keys: 1 }))).toEqual([
      "graph  runs  right",
      "             (in",
      "             numbers)",
      "tulip  4     1.00",
      "",
      "graph  cost",
      "tulip  $0.0005",
    ]);
  });
});

describe("colours", () => {
  it("are for terminals that have them", () => {
    // Variables by which Node decides about colours, wherever the tests run.
    for (const name of ["CI", "NO_COLOR", "FORCE_COLOR", "NODE_DISABLE_COLORS"]) {
      vi.stubEnv(name, undefined);
    }
    vi.stubEnv("TERM", "xterm-256color");
    pretendTerminal();
    expect(bold("x")).toBe("x");
    pretendTerminal(80);
    expect(bold("x")).toBe("\u001b[1mx\u001b[22m");
    vi.stubEnv("TERM", "dumb");
    expect(bold("x")).toBe("x");
  });
});

describe("a step that takes its time", () => {
  it("is announced on stderr after a second, with its time at the end", async () => {
    vi.useFakeTimers();
    const lines: string[] = [];
    const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      lines.push(String(text));
      return true;
    });
    try {
      const quick = whileWorking("a quick step", () => sleep(900));
      const slow = whileWorking("a slow step", () => sleep(2500));
      await vi.advanceTimersByTimeAsync(3000);
      await Promise.all([quick, slow]);
    } finally {
      spy.mockRestore();
      vi.useRealTimers();
    }
    expect(lines).toEqual(["a slow step …\n", "a slow step: 2.5 s\n"]);
  });
});

function sleep(ms: number): Promise<void> {
  return new Promise((done) => void setTimeout(done, ms));
}
