import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Call, TaskTree } from "../../state/state.js";
import { taskDrawing } from "../../state/taskDrawing.js";
import { GROWN_CALLS, GROWN_TREE, task } from "../fakes/taskTrees.js";

describe("the drawing of a task tree", () => {
  it("shows tasks, plans, wordings and tools", () => {
    expect(linesOf(GROWN_TREE, GROWN_CALLS)).toEqual([
      "flowchart TD",
      'task1["✓ 1 Greet and double<br/>= Hello, 42"]:::done',
      'task2["✗ 1.1 task 1.1<br/>No tool fits."]:::failed',
      "class task2 past",
      'task3["– 1.2 task 1.2"]:::skipped',
      "class task3 past",
      `task4["✓ 1.1' task 1.1'<br/>= Hello"]:::done`,
      `task5["✓ 1.2' task 1.2'<br/>= 42"]:::done`,
      'tool1(["greet"]):::tool',
      'tool2(["double#95;it"]):::tool',
      "task1 --> task2",
      "task1 --> task3",
      "task2 -.-> task3",
      "task1 --> task4",
      "task1 --> task5",
      "task4 -.-> task5",
      'task4wording1["“say hello”"]:::wording',
      'task4 -. "said before as" .-> task4wording1',
      "task4 -.-> tool1",
      'task5 -. "made for it" .-> tool2',
      ...LOOKS,
    ]);
  });

  it("also dims what is below an abandoned plan", () => {
    const below = task({ id: "1.1.1", parent: "1.1", level: 2, status: "failed" });
    const tasks = GROWN_TREE.tasks.map((each) =>
      each.id === "1.1" ? { ...each, plans: [[below.id]] } : each,
    );
    const lines = linesOf({ ...GROWN_TREE, tasks: [...tasks, below] }, []);
    expect(lines.filter((line) => line.endsWith(" past"))).toEqual([
      "class task2 past",
      "class task3 past",
      "class task6 past",
    ]);
  });

  it("leaves out words that a model gave again", () => {
    const tasks = [task({ id: "1", text: "same", wordings: ["same"] })];
    const lines = linesOf({ tasks, agenda: [], step: "done" }, []);
    expect(lines.filter((line) => line.includes("wording1"))).toEqual([]);
  });

  it("is a flowchart, whatever is in wordings, results and names of tools", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(...HOSTILE));
    fc.assert(
      fc.property(text, text, text, (wording, result, tool) => {
        const root = task({ id: "1", text: wording, wordings: [result], result, calls: ["a"] });
        const call = { id: "a", tool, args: {}, ms: 1, cost: 0 };
        const lines = linesOf({ tasks: [root], agenda: [], step: "done" }, [call]);
        expect(lines.filter((line) => !STATEMENT.test(line))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it("cuts long texts", () => {
    const [, root = ""] = linesOf(
      { tasks: [task({ id: "1", text: "word ".repeat(1000) })], agenda: [], step: "done" },
      [],
    );
    expect(root.length).toBeLessThan(120);
    expect(root).toContain("…");
  });
});

const HOSTILE = [
  'end"] --> x["',
  "%%{init: {}}%%",
  "`markdown`",
  "style:a#b;",
  "a\nb\r\nc",
  "<script>alert(1)</script>",
  "#quot;",
  "](javascript:x)",
  "\u0000\u001B[2J\u2028",
  "half a character: \uD83D",
];

const LABEL = String.raw`"(?:[^"<>#\n\r\x60%{}\[\];:&|\\]|#\d+;|<br/>)*"`;

/** The statements of Mermaid's flowcharts that a drawing may have. */
const STATEMENT = new RegExp(
  `^(?:${[
    "flowchart TD",
    String.raw`\w+(?:\[${LABEL}\]|\(\[${LABEL}\]\)):::\w+`,
    String.raw`class \w+ past`,
    String.raw`\w+ (?:-->|-\.->|-\. ${LABEL} \.->) \w+`,
    String.raw`classDef \w+ [\w#:,.-]+`,
  ].join("|")})$`,
  "u",
);

const LOOKS = [
  "classDef open stroke-dasharray:4",
  "classDef done fill:#e3f4e1,stroke:#3c7a3a",
  "classDef failed fill:#fbe3e0,stroke:#b3382c",
  "classDef skipped fill:#eeeeee,stroke:#999999",
  "classDef past opacity:0.45",
  "classDef tool fill:#e8eefb,stroke:#4a67a8",
  "classDef wording fill:#ffffff,stroke:#999999",
];

function linesOf(tree: TaskTree, calls: Call[]): string[] {
  return taskDrawing(tree, calls).split("\n");
}
