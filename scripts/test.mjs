// `npm test`: sets up what is missing, runs the tests (arguments go to vitest), counts them.
import "../bin/check-node.mjs";

void import("./setup.mjs").then(async ({ setUpOrExplain }) => {
  if (!(await setUpOrExplain())) {
    process.exitCode = 2;
    return;
  }
  const { projectRoot } = await import("./setup/prepare.mjs");
  const { runTests } = await import("./testing/run-tests.mjs");
  const { NEEDS, supplyPackage } = await import("./testing/supply-package.mjs");
  for (const need of Object.values(NEEDS)) {
    const problem = await supplyPackage(need, { root: projectRoot });
    if (problem) process.stderr.write(`${need.tests} are skipped: ${problem}\n`);
  }
  const { code, line } = await runTests({ root: projectRoot, args: process.argv.slice(2) });
  process.stdout.write(`${line}\n`);
  process.exitCode = code;
});
