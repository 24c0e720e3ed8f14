import { runInNewContext } from "node:vm";
import { writeFileSync } from "node:fs";
import { it } from "vitest";
import { visit } from "./programRuns.js";
import { randomExpression } from "./randomExpressions.js";
it("x", () => {
  const out: string[] = [];
  let ran = 0, refused = 0, threw = 0;
  for (let seed = 1; seed <= Number(process.env.N ?? 20000); seed++) {
    const e = randomExpression(seed * 7919);
    for (const [form, code] of [["told", `return \`\${${e}}\`;`], ["json", `return JSON.stringify([${e}]);`], ["len", `const t = \`\${${e}}\`; return t.length + ":" + t.slice(0, 30);`]] as const) {
      let js: string;
      try { js = String(runInNewContext(`(() => { ${code} })()`, { }, { timeout: 500 })); } catch (x) { js = "THROWS " + (x as Error).message; }
      let own: string; 
      try { const p = visit(code); own = p.fault ? "FAULT" : p.end?.failed ? "FAULT" : String(p.end?.text); } catch (x) { own = "FAULT"; if (!/./.test(String(x))) throw x; }
      if (own === "FAULT") { refused++; continue; }
      if (js.startsWith("THROWS")) { threw++; out.push(`${form}\t${e}\tJS ${js}\tOURS ${own}`); continue; }
      ran++;
      if (js !== own) out.push(`${form}\t${e}\tJS ${js}\tOURS ${own}`);
    }
  }
  writeFileSync("/tmp/field-expr.txt", out.join("\n"));
  console.log({ ran, refused, threw, wrong: out.length });
}, 600_000);
