import { describe, expect, it } from "vitest";
import { groupTools, insteadText } from "../../../../tools/library/records/groups.js";

const functionsOf = (tools: Parameters<typeof groupTools>[0]) => {
  const groups = groupTools(tools);
  return Object.fromEntries(Array.from(tools, (tool) => [tool.id, groups.functionName(tool)]));
};
const grouped = (group: string, ...names: string[]) =>
  names.map((name) => ({ id: `${group}.${name}`, name, about: `About ${group}` }));

describe("the group of a tool", () => {
  it.each([
    [
      "what its id has before its name",
      { id: "gh.create_issue", name: "create_issue" },
      "gh.create_issue",
    ],
    ["the last part of that", { id: "Data/Big Co/get", name: "get" }, "Big_Co.get"],
    [
      "the name of its API, whatever its id has besides",
      { id: "github.issues/list-all", name: "issues_list_all", provider: "GitHub's API" },
      "github.issues_list_all",
    ],
    ["what its name has before a dot", { id: "mail.send", name: "mail.send" }, "mail.send"],
    ["its provider", { id: "convert", name: "convert", provider: "Time 2" }, "Time_2.convert"],
    ["not one of the language's names", { id: "Math.add", name: "add" }, "Math_.add"],
    ["none, if its source says nothing", { id: "add", name: "add" }, "add"],
  ])("is %s", (_, tool, name) => {
    expect(groupTools([tool]).functionName(tool)).toBe(name);
  });

  it("comes with what its source says, and its size", () => {
    const { list } = groupTools([...grouped("git", "log", "show"), { id: "add", name: "add" }]);
    expect(list).toEqual([{ name: "git", about: "About git", size: 2 }]);
  });
});

describe("a source of many tools", () => {
  const tools = Array.from({ length: 101 }, (_, at) => {
    const category = at < 2 ? "code-scanning" : "issues";
    return {
      id: `github.${category}/get-${at}`,
      name: `${category.replace("-", "_")}_get_${at}`,
      category,
    };
  });
  const { list, functionsIn, toolNamed } = groupTools(tools);

  it("is a group for each of its categories, whose name is not said again", () => {
    expect(list).toEqual([
      { name: "github_code_scanning", about: "", size: 2 },
      { name: "github_issues", about: "", size: 99 },
    ]);
    expect(functionsIn("github_code_scanning")).toEqual([
      "github_code_scanning.get_0",
      "github_code_scanning.get_1",
    ]);
  });

  it("can be asked for as a whole", () => {
    expect(functionsIn("github")).toHaveLength(101);
  });

  it("has functions that are also found by the whole names of their tools", () => {
    expect(toolNamed("codeScanningGet1")).toBe("github.code-scanning/get-1");
    expect(toolNamed("github.code-scanning/get-1")).toBe("github.code-scanning/get-1");
  });
});

describe("the name of a function", () => {
  it("leaves out what the names of all tools of its group begin with", () => {
    expect(functionsOf(grouped("git", "git_log", "git_log_all", "git_show"))).toEqual({
      "git.git_log": "git.log",
      "git.git_log_all": "git.log_all",
      "git.git_show": "git.show",
    });
    expect(functionsOf(grouped("notion", "API-get", "API-post", "API-list"))).toMatchObject({
      "notion.API-get": "notion.get",
    });
  });

  it.each([
    ["two tools", ["get_user", "get_page"]],
    ["half a word", ["gets", "getter", "get"]],
    ["a whole name", ["get_", "get_user", "get_page"]],
    ["names that are then numbers", ["get_1", "get_2", "get_3"]],
  ])("keeps what only %s share", (_, names) => {
    const functions = Object.values(functionsOf(grouped("api", ...names)));
    expect(functions).toEqual(names.map((name) => `api.${name}`));
  });

  it("is never that of another tool", () => {
    const tools = [
      ...grouped("a", "get-it", "get_it", "x"),
      { id: "b/get_it", name: "get_it" },
      { id: "get_it", name: "get_it" },
      { id: "other", name: "get_it" },
    ];
    const names = Object.values(functionsOf(tools));
    expect(new Set(names).size).toBe(tools.length);
  });
});

describe("a function", () => {
  const groups = groupTools([
    ...grouped("git", "git_log", "git_show", "git_add"),
    ...grouped("gh", "list_commits", "show", "get", "git_blame"),
  ]);

  const { toolNamed, functionsIn } = groups;

  it.each([
    ["its name", "git.log", "git.git_log"],
    ["another spelling", "gh.listCommits", "gh.list_commits"],
    ["its name alone", "list_commits", "gh.list_commits"],
    ["its name in a group that does not exist", "github.listCommits", "gh.list_commits"],
    ["its tool's name in its group", "git.git_log", "git.git_log"],
  ])("is found by %s", (_, name, id) => {
    expect(toolNamed(name)).toBe(id);
  });

  it.each([
    ["two groups have", "show"],
    ["none has", "merge"],
    ["only another group has", "git.list_commits"],
    ["a tool of another group is called by", "git.blame"],
    ["two groups have, in one that does not exist", "hub.show"],
  ])("is not found by a name that %s", (_, name) => {
    expect(toolNamed(name)).toBeUndefined();
  });

  it.each([
    [
      "git.list_commits",
      "there is no git.list_commits; git has: log, show, add; gh.list_commits exists",
    ],
    ["git.blame", "there is no git.blame; git has: log, show, add; gh.git_blame exists"],
    ["git.add_note", "there is no git.add_note; git has: add, log, show"],
    ["git.sohw", "there is no git.sohw; git has: show, log, add"],
    ["hub.show", "there is no hub.show; git.show, gh.show exist"],
    ["hub.merge", ""],
  ])("that does not exist is answered with those that do: %s", (name, told) => {
    expect(insteadText(name, groups)).toBe(told);
  });

  it("is told of only where it may be called", () => {
    const ids = ["git.git_log", "git.git_show"];
    expect(insteadText("git.list_commits", groups, ids)).toBe(
      "there is no git.list_commits; git has: log, show",
    );
  });

  it("is listed in its group", () => {
    expect(functionsIn("git")).toEqual(["git.log", "git.show", "git.add"]);
  });

  it("belongs with the others of its group, unless these are too many to be about one thing", () => {
    expect(groups.kinOf("git.git_log")).toEqual(["git.git_log", "git.git_show", "git.git_add"]);
    const many = Array.from({ length: 101 }, (_, at) => `tool_${at}`);
    expect(groupTools(grouped("hub", ...many)).kinOf("hub.tool_1")).toEqual([]);
  });
});
