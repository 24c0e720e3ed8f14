import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openExperimentFolder, readResults } from "../../../eval/runs/experimentFolder.js";
import { experimentWith, recordOf, taskNamed, temporaryFolder } from "./support.js";

const TASKS = [taskNamed("t1")];
const NO_PARAMETERS = { type: "object", properties: {} } as const;

function opened(folder: string, changes = {}) {
  return openExperimentFolder({ folder, experiment: experimentWith(changes), tasks: TASKS });
}

describe("the folder of an experiment", () => {
  it("gives back what was written, in the order of writing", () => {
    const folder = temporaryFolder();
    const first = opened(folder);
    first.append(recordOf("a"));
    first.append(recordOf("b"));
    first.keepLibraries([]);
    const shape = { id: "add", name: "add", description: "Adds", parameters: NO_PARAMETERS };
    first.keepTools([shape]);
    first.close();
    expect(readResults(folder)).toEqual({
      experiment: experimentWith(),
      tasks: TASKS,
      records: [recordOf("a"), recordOf("b")],
      libraries: [],
      tools: [shape],
    });
  });

  it("is refused to a second process, and free again when the first has closed it", () => {
    const folder = temporaryFolder();
    const first = opened(folder);
    expect(() => opened(folder)).toThrow(/another process is running this experiment/);
    first.close();
    opened(folder).close();
  });

  it("knows a benchmark again that is named by another path", () => {
    const folder = temporaryFolder();
    opened(folder).close();
    const { benchmark } = experimentWith().definition;
    opened(folder, { benchmark: { ...benchmark, source: "../elsewhere" } }).close();
    const changed = { benchmark: { ...benchmark, hash: "other" } };
    expect(() => opened(folder, changed)).toThrow(/differs in: benchmark/);
  });

  it("drops half a line that a killed process has left, so that the run is made again", () => {
    const folder = temporaryFolder();
    const first = opened(folder);
    first.append(recordOf("a"));
    first.close();
    appendFileSync(join(folder, "runs.jsonl"), '{"id":"b","task"');
    const again = opened(folder);
    expect(again.records.map(({ id }) => id)).toEqual(["a"]);
    again.append(recordOf("c"));
    again.close();
    expect(readResults(folder).records.map(({ id }) => id)).toEqual(["a", "c"]);
  });

  it.each([
    ["not JSON at all", "{nothing}\n", /runs\.jsonl:1 cannot be read \(not JSON\)/],
    ["no run", '{"id":"a"}\n', /runs\.jsonl:1 cannot be read \(task: /],
  ])("names file and line of a line that is %s", (_what, line, message) => {
    const folder = temporaryFolder();
    opened(folder).close();
    writeFileSync(join(folder, "runs.jsonl"), line);
    expect(() => readResults(folder)).toThrow(message);
  });

  it("refuses a folder with runs of which nothing says what they are", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "runs.jsonl"), "");
    expect(() => opened(folder)).toThrow(/has a runs\.jsonl but no experiment\.json/);
  });

  it("says that a folder holds no experiment", () => {
    expect(() => readResults(temporaryFolder())).toThrow(/holds no experiment/);
  });
});
