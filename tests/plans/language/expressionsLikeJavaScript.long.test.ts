import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { visit } from "./programRuns.js";
import { randomExpression } from "./randomExpressions.js";

/** `EXPRESSIONS=10000 npx vitest run …` tries more of them. */
const EXPRESSIONS = Number(process.env.EXPRESSIONS ?? 400);
const SEED = Number(process.env.SEED ?? 7919);

/** How a value may be used: in an answer, as data, in a text that is worked with. */
const USES = [
  (value: string) => `return \`\${${value}}\`;`,
  (value: string) => `return JSON.stringify([${value}]);`,
  (value: string) => `const t = \`\${${value}}\`; return t.length + ":" + t;`,
];

/** What JavaScript goes on with where something is wrong, and dates, which people are told as days. */
const SENSELESS = /\[object |NaN|undefined|Infinity|GMT/;

/** What is answered without the noise of binary fractions: 0.1 + 0.2 is told as 0.3. */
function withoutNoise(text: string): string {
  return text.replaceAll(/-?\d+\.\d{10,}/g, (digits) =>
    String(Number(Number(digits).toPrecision(12))),
  );
}

function inJavaScript(code: string): string {
  try {
    return String(runInNewContext(`(() => { ${code} })()`, {}, { timeout: 1_000 }));
  } catch {
    return "[object Error]";
  }
}

/** What a program answers; undefined if it is refused. */
function answered(code: string): string | undefined {
  try {
    const { end, fault } = visit(code);
    return fault || end?.failed ? undefined : end?.text;
  } catch {
    return undefined;
  }
}

it("an expression has the value that it has in JavaScript, or is refused", () => {
  let compared = 0;
  const differing: string[] = [];
  for (let at = 1; at <= EXPRESSIONS; at += 1) {
    const expression = randomExpression(at * SEED);
    const wanted = USES.map((use) => inJavaScript(use(expression)));
    if (SENSELESS.test(wanted[0] ?? "")) continue;
    for (const [way, use] of USES.entries()) {
      const given = answered(use(expression));
      if (given === undefined) continue;
      compared += 1;
      const right = wanted[way] ?? "";
      if (withoutNoise(given) !== withoutNoise(right))
        differing.push(`${expression}: ${given} in place of ${right}`);
    }
  }
  expect(differing).toEqual([]);
  expect(compared).toBeGreaterThan(EXPRESSIONS);
});
