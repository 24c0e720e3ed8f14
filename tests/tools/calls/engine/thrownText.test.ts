import { expect, it } from "vitest";
import { z } from "zod";
import { thrownText } from "../../../../tools/calls/engine/thrownText.js";

const loop: Record<string, unknown> = { code: 7 };
loop["self"] = loop;

it.each<[string, unknown, RegExp]>([
  ["a cause", new Error("a", { cause: new Error("b") }), /^Error: a: Error: b$/],
  [
    "the words of a service, as axios keeps them",
    Object.assign(new Error("Request failed with status code 422"), {
      response: { status: 422, data: { message: "the room is taken" } },
    }),
    /422: the room is taken$/,
  ],
  [
    "the words of a service, as got keeps them",
    Object.assign(new Error("Response code 400"), {
      response: { body: '{"error":"no such day"}' },
    }),
    /no such day/,
  ],
  [
    "the detail of a database",
    Object.assign(new Error("duplicate key value"), { detail: "Key (id)=(3) already exists." }),
    /duplicate key value: Key \(id\)=\(3\)/,
  ],
  [
    "what a program wrote",
    Object.assign(new Error("exit 1"), { stderr: Buffer.from("no such branch\n") }),
    /exit 1: no such branch$/,
  ],
  ["the issues of Zod", zodError(), /^ZodError: a\.b: .*number.*$/],
  [
    "the first of several errors",
    new AggregateError([new Error("down")], "all failed"),
    /all failed: Error: down/,
  ],
  ["no colours", new Error("\u001B[31mred\u001B[39m"), /^Error: red$/],
  ["an object that is no error", { code: 404, msg: "gone" }, /404.*gone/],
  ["an object that contains itself", loop, /code: 7.*Circular/],
  ["a bigint", 7n, /7/],
  ["nothing", undefined, /undefined/],
])("an error is told with %s", (_, thrown, said) => {
  expect(thrownText(thrown)).toMatch(said);
});

function zodError(): unknown {
  return z.object({ a: z.object({ b: z.number() }) }).safeParse({ a: { b: "x" } }).error;
}
