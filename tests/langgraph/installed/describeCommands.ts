import { beforeAll, describe, expect, it } from "vitest";
import { listCommands } from "../../house/commands.js";
import { COMMAND_STEPS } from "./commandSteps.js";
import {
  type Installed,
  type Manager,
  install,
  installNode,
  newFolder,
  packBuilt,
  registryProblem,
} from "./install.js";
import { SERVING_STEPS } from "./servingSteps.js";

const noRegistry = await registryProblem();
if (noRegistry) process.stderr.write(`the package is not installed: ${noRegistry}\n`);

/** Installs the package and uses every command there; where there is no registry, the tests count as skipped. */
export function describeCommands(options: {
  manager: Manager;
  /** A version of Node. @default that of the tests */
  version?: string;
}): void {
  const { manager, version } = options;
  describe.skipIf(noRegistry)(
    `the package, installed by ${manager} and run by Node ${version ?? process.version}`,
    () => {
      const folder = newFolder();
      let place: Installed;
      beforeAll(async () => {
        const node = version === undefined ? undefined : await installNode(version, folder);
        place = await install({ manager, tarball: await packBuilt(folder), folder, node });
      }, 900_000);

      const steps = Object.entries({ ...COMMAND_STEPS, ...SERVING_STEPS });
      it.each(steps)("%s", async (_what, step) => {
        await step(place);
        expect(place.used).not.toEqual([]);
      });

      it("has been used by all of its commands", async () => {
        const commands = (await listCommands()).map(({ words }) => words).filter(Boolean);
        const unused = commands.filter(
          (words) => !place.used.some((each) => `${each} `.startsWith(`${words} `)),
        );
        expect(unused).toEqual([]);
      });
    },
  );
}
