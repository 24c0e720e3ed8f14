/**
 * What becomes of a home that a server, a process with open libraries and three command lines use at once, while all of
 * them are replaced in the middle, and while its disk is full for some seconds.
 *
 *   npx tsx tests/campaigns/oneHome.ts --seconds 600
 *   npx tsx tests/campaigns/oneHome.ts --home tests/fixtures/homes/COMMIT/sqlite --before OTHER_CHECKOUT
 *
 * The programs are compiled (`npm run build` makes dist). With `--home` it begins with a copy of that home, such as one
 * of an earlier release; with `--before`, a built checkout, everybody uses that until the middle, when all are replaced
 * by this version. Only root can give the home a disk of its own, which is then filled; without, nothing is filled.
 */
import { resolve } from "node:path";
import { inTemporaryFolder } from "../../eval/files.js";
import { type Kept, homeCampaign } from "./homeCampaign.js";
import { optionsOf, write, writeHead, writeRow } from "./scriptSupport.js";

const { seconds, commandLines, processes, home, before, disk, root } = optionsOf({
  seconds: 600,
  commandLines: 3,
  processes: 1,
  home: "",
  before: "",
  /** Megabytes of the disk. */
  disk: 64,
  root: ".",
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) write("Only root can make a disk: none is filled.");

const kept = await inTemporaryFolder("onehome", (folder) =>
  homeCampaign({
    root: resolve(root),
    folder,
    seconds,
    commandLines,
    processes,
    home: home === "" ? undefined : resolve(home),
    before: before === "" ? undefined : resolve(before),
    diskMegabytes: isRoot ? disk : 0,
  }),
);
const { commands, runs, full, ...found } = kept;
const counts = Object.entries(found as Omit<Kept, "commands" | "runs" | "full">);
writeHead(["commands", "runs", "on a full disk", ...counts.map(([name]) => name)]);
writeRow([commands, runs, full, ...counts.map(([, all]) => all.length)]);
for (const [name, all] of counts) for (const each of all) write(`${name}: ${each}`);
process.exitCode = counts.every(([, all]) => all.length === 0) ? 0 : 1;
