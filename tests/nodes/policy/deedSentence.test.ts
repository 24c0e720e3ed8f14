import { expect, it } from "vitest";
import { doneSentence, openSentence } from "../../../nodes/policy/deedSentence.js";

it.each([
  ["note", "Keeps a note.", "Kept note Buy milk", "Keep note Buy milk"],
  ["desk.note", "Adds a note to the desk.", "Added note Buy milk", "Add note Buy milk"],
  ["sms", "Text messages.", "Called sms Buy milk", "Call sms Buy milk"],
  ["add_note", "A note.", "Added note Buy milk", "Add note Buy milk"],
])("a call of %s, described as “%s”, reads “%s”", (name, description, done, open) => {
  const call = { tool: { name, description }, name, args: { text: "Buy milk" } };
  expect(doneSentence(call)).toBe(done);
  expect(openSentence(call)).toBe(open);
});

it("has the tool's own sentence if its values are known", () => {
  const tool = { name: "refund", description: "", deed: "Refunded {refunded} of order {order}." };
  const call = { tool, name: "refund", args: { order: "O-7" }, result: { refunded: 50 } };
  expect(doneSentence(call)).toBe("Refunded 50 of order O-7");
  expect(doneSentence({ ...call, result: {} })).toBe("Refunded O-7");
});
