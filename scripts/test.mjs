// `npm test`: sets up what is missing, runs the tests and counts them. Without arguments it leaves out the long tests
// and the campaigns (vitest.config.ts); `--all` runs everything; other arguments go to vitest.
import "../bin/check-node.mjs";

void import("./setup.mjs").then(async ({ setUpOrExplain }) => {
  if (!(await setUpOrExplain())) {
    process.exitCode = 2;
    return;
  }
  const { projectRoot } = await import("./setup/prepare.mjs");
  const { runTests, testArguments } = await import("./testing/run-tests.mjs");
  const { NEEDS, supplyPackage } = await import("./testing/supply-package.mjs");
  for (const need of Object.values(NEEDS)) {
    const problem = await supplyPackage(need, { root: projectRoot });
    if (problem) process.stderr.write(`${need.tests} are skipped: ${problem}\n`);
  }
  const args = testArguments(process.argv.slice(2));
  const { code, line } = await runTests({ root: projectRoot, args });
  process.stdout.write(`${line}\n`);
  process.exitCode = code;
});
