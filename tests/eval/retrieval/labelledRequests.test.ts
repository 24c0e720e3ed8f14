import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { partOf, readRequests } from "../../../eval/retrieval/labelledRequests.js";
import { folderOf } from "../benchmarks/support.js";
import { declared } from "./support.js";

function readPairs(content: string) {
  const folder = folderOf({ "pairs.jsonl": content });
  return readRequests({
    setting: "pairs",
    name: "mine",
    file: join(folder, "pairs.jsonl"),
    tools: [declared("add", "sum"), declared("flight", "reserve a seat")],
  });
}

describe("requests with their tools", () => {
  it("are read from a file of pairs, each tool once, with the template if there is one", async () => {
    const { requests } = await readPairs(
      '{"query":"a","tools":["add","flight","add"],"template":"t"}\n\n{"query":"b","tools":["add"],"template":null}\n',
    );
    expect(requests).toEqual([
      { query: "a", tools: ["add", "flight"], template: "t" },
      { query: "b", tools: ["add"] },
    ]);
  });

  it.each([
    ["no JSON", "{}}", /pairs\.jsonl:1: is not JSON/],
    ["no request", '{"tools":["add"]}', /pairs\.jsonl:1: has no "query"/],
    ["an empty request", '{"query":" ","tools":["add"]}', /:1: "query": is empty/],
    ["an unknown tool", '{"query":"a","tools":["fly"]}', /:1: the tool "fly" is not in mine/],
    ["ids that are no list", '\n{"query":"a","tools":{"add":1}}', /:2: "tools": /],
  ])("are refused with file and line for %s", async (_what, content, message) => {
    await expect(readPairs(content)).rejects.toThrow(message);
  });
});

describe("the split of requests", () => {
  const requests = Array.from({ length: 3000 }, (_, at) => ({
    query: `request ${at}`,
    tools: [`tool${at}`],
  }));

  it("is about 60, 10 and 30 percent, and different for another seed", () => {
    const parts = requests.map((request) => partOf(request, 1));
    const count = (wanted: string) => parts.filter((part) => part === wanted).length / 3000;
    expect(count("train")).toBeCloseTo(0.6, 1);
    expect(count("validation")).toBeCloseTo(0.1, 1);
    expect(count("test")).toBeCloseTo(0.3, 1);
    expect(requests.map((request) => partOf(request, 2))).not.toEqual(parts);
  });

  it("keeps requests for the same tools together, whatever their order, and those of a template", () => {
    for (const { tools } of requests.slice(0, 50)) {
      const [tool = ""] = tools;
      const one = partOf({ query: "a", tools: [tool, "z"] }, 1);
      expect(partOf({ query: "b", tools: ["z", tool] }, 1)).toBe(one);
      const templated = (id: string) => partOf({ query: "c", tools: [id], template: tool }, 1);
      expect(templated("x")).toBe(templated("y"));
    }
  });
});
