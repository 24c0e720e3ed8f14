import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { typeScriptBootstrap } from "../../../../tools/calls/workers/startThread.js";
import { newHome } from "../../../fakes/homes.js";

it("TypeScript is compiled once for all processes, and again when it changes or others could have written the code", () => {
  const folder = newHome();
  const file = join(folder, "greet.ts");
  const run = () =>
    execFileSync(process.execPath, ["-e", typeScriptBootstrap(pathToFileURL(file))], {
      env: { ...process.env, TMPDIR: folder },
      encoding: "utf8",
    });
  writeFileSync(file, 'const word: string = "hello";\nprocess.stdout.write(word);\nexport {};\n');
  expect(run()).toBe("hello");
  const [keeping = ""] = readdirSync(folder).filter((name) => name.startsWith("tulipgraph-"));
  const [kept = ""] = readdirSync(join(folder, keeping)).map((name) => join(folder, keeping, name));
  writeFileSync(kept, readFileSync(kept, "utf8").replace("hello", "kept"));
  expect(run()).toBe("kept");
  chmodSync(join(folder, keeping), 0o777);
  expect(run()).toBe("hello");
  chmodSync(join(folder, keeping), 0o700);
  writeFileSync(file, readFileSync(file, "utf8").replace("hello", "good day"));
  expect(run()).toBe("good day");
});
