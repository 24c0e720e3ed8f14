import { execFile } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { settingNames } from "../house/settingNames.js";
import { listCommands } from "../house/commands.js";

const SITE = "docs/.vitepress/dist";

beforeAll(async () => {
  await promisify(execFile)("npm", ["run", "docs"], { maxBuffer: 1e7 });
});

describe("the site of the documents", () => {
  it("leads nowhere but to pages, files and headings that there are", () => {
    const pages = new Map(
      readdirSync(SITE, { recursive: true, encoding: "utf8" }).flatMap((name) =>
        name.endsWith(".html") ? [[`/${name}`, readFileSync(join(SITE, name), "utf8")]] : [],
      ),
    );
    const dead = [...pages].flatMap(([page, html]) => {
      const links = [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, link = ""]) => link);
      const own = links.filter((link) => !/^[a-z]+:/.test(link));
      return own.filter((link) => !leads(pages, page, link)).map((link) => `${page} → ${link}`);
    });
    expect(pages.size).toBeGreaterThan(30);
    expect(dead).toEqual([]);
  });

  it("has every command and every setting in its reference", async () => {
    const commands = readFileSync(join(SITE, "docs/reference/commands.html"), "utf8");
    const settings = readFileSync(join(SITE, "docs/reference/settings.html"), "utf8");
    const words = (await listCommands()).flatMap((command) => command.words || []);
    expect(words.filter((each) => !commands.includes(`tulipgraph ${each}<`))).toEqual([]);
    expect(settingNames().filter((name) => !settings.includes(`>${name}<`))).toEqual([]);
  });
});

/** Whether a link of a page leads to a page with that heading, or to a file. */
function leads(pages: ReadonlyMap<string, string>, page: string, link: string): boolean {
  const [path = "", anchor = ""] = decodeURIComponent(link).split("#");
  const joined = path === "" ? page : posix.resolve(posix.dirname(page), path);
  const file = path.endsWith("/") ? posix.join(joined, "index.html") : joined;
  const html = pages.get(file);
  if (html === undefined)
    return existsSync(join(SITE, file)) && statSync(join(SITE, file)).isFile();
  return anchor === "" || html.includes(`id="${anchor}"`);
}
