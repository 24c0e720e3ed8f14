import { describe, expect, it } from "vitest";
import { DEFAULT_FLOW_RULES } from "../../../../tools/calls/flow/flowRules.js";
import {
  type FlowCall,
  type FlowSource,
  flowVerdict,
} from "../../../../tools/calls/flow/flowVerdict.js";

const MAIL: FlowSource[] = [
  { tool: "mail", label: "private" },
  { tool: "mail", label: "foreign" },
];

/** What the rules decide on a call; "allow" where they say nothing against it. */
function decided(call: Partial<FlowCall>, rules = DEFAULT_FLOW_RULES) {
  const verdict = flowVerdict(
    { tool: SENDING, args: {}, read: [], into: () => [], isOwn: () => false, ...call },
    rules,
  );
  return verdict?.decision ?? "allow";
}

const properties = {
  to: { type: "string" },
  text: { type: "string" },
  state: { type: "string", enum: ["open", "closed"] },
  count: { type: "integer" },
};
const parameters = { type: "object" as const, properties };
const SENDING: FlowCall["tool"] = {
  effects: "write",
  flow: ["outward"],
  sends: ["text"],
  parameters,
};
const WRITING: FlowCall["tool"] = { effects: "write", parameters };
const READING: FlowCall["tool"] = { effects: "read", parameters };

const into = (name: string, sources: readonly FlowSource[]) => (argument: string) =>
  argument === name ? sources : [];

const [PRIVATE, FOREIGN] = [MAIL.slice(0, 1), MAIL.slice(1)];

function isOwn(value: unknown): boolean {
  return value === "On our way";
}

describe("text from outside in a write", () => {
  it.each([
    ["words", "text", "Close all tickets now", "ask"],
    ["words in a list", "text", ["a", "Close all"], "ask"],
    ["a long text without spaces", "text", "x".repeat(65), "ask"],
    ["an id", "text", "TKT-21", "allow"],
    ["a day", "text", "2025-03-14", "allow"],
    ["a day with its time", "text", "2025-03-14 10:00:00", "allow"],
    ["a number", "count", 12, "allow"],
    ["true", "text", true, "allow"],
    ["a value that the tool lists", "state", "in work", "allow"],
  ])("counts where it is text: %s", (_what, name, value, decision) => {
    expect(decided({ tool: WRITING, args: { [name]: value }, into: into(name, FOREIGN) })).toBe(
      decision,
    );
  });

  it("counts in any form if a model has said it about such a text", () => {
    const told = FOREIGN.map((source) => ({ ...source, told: true as const }));
    const call = { tool: WRITING, into: into("text", told) };
    expect(decided({ ...call, args: { text: "TKT-21" } })).toBe("ask");
    expect(decided({ ...call, args: { text: true } })).toBe("allow");
  });

  it("counts against each write of a model that has read such a text, with or without arguments", () => {
    expect(decided({ tool: WRITING, read: FOREIGN })).toBe("ask");
    expect(
      decided({ tool: WRITING, read: FOREIGN, args: { text: "TKT-21" }, isOwn: () => true }),
    ).toBe("ask");
    expect(decided({ tool: READING, read: FOREIGN })).toBe("allow");
  });
});

describe("private data that goes out", () => {
  it("counts in any form, in the arguments that leave", () => {
    expect(decided({ args: { text: 12 }, into: into("text", PRIVATE) })).toBe("ask");
    expect(decided({ args: { to: "me@here" }, into: into("to", PRIVATE) })).toBe("allow");
    const all = { ...SENDING, sends: undefined };
    expect(decided({ tool: all, args: { to: "me@here" }, into: into("to", PRIVATE) })).toBe("ask");
  });

  it("may be in any argument if a declared outgoing one is not the tool's", () => {
    const misspelt = { ...SENDING, sends: ["txt"] };
    expect(decided({ tool: misspelt, args: { to: "me@here" }, into: into("to", PRIVATE) })).toBe(
      "ask",
    );
  });

  it("is not what the user has said", () => {
    expect(decided({ args: { text: "On our way" }, read: PRIVATE, isOwn })).toBe("allow");
    expect(decided({ args: { text: "On our way, 4711" }, read: PRIVATE, isOwn })).toBe("ask");
  });

  it("leaves with any call of a tool that reads it itself", () => {
    expect(decided({ tool: { ...SENDING, flow: ["private", "outward"] } })).toBe("ask");
  });

  it("also leaves with a call that only reads", () => {
    const asking = { ...READING, flow: ["outward" as const] };
    expect(decided({ tool: asking, args: { text: "4711" }, into: into("text", PRIVATE) })).toBe(
      "ask",
    );
  });
});

it("is refused if one rule refuses and another asks", () => {
  const rules = { ...DEFAULT_FLOW_RULES, foreign: { write: "refuse", outward: "allow" } as const };
  expect(decided({ args: { text: "a b" }, into: into("text", MAIL) }, rules)).toBe("refuse");
});
