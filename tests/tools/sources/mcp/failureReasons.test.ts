import { expect, it } from "vitest";
import { failureOf } from "../../../../tools/sources/mcp/resultValue.js";

const content = [{ type: "text" as const, text: "no such book" }];

it.each([
  [
    "the name of the server",
    { "io.modelcontextprotocol/serverInfo": { name: "shelves", version: "1" } },
  ],
  ["the name of the server under another prefix", { "dev.mcp/server": "shelves" }],
  ["a trace", { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" }],
])("What the protocol says beside a failed call is no reason: %s.", (_, _meta) => {
  expect(failureOf({ isError: true, content, _meta })).toBe("no such book");
});

it("What a server itself says beside a failed call may be the reason.", () => {
  const _meta = { "com.example/why": "the library is closed", progressToken: 4 };
  expect(failureOf({ isError: true, content: [], _meta })).toContain("the library is closed");
});
