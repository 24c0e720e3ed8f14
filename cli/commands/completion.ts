import { existsSync } from "node:fs";
import { Argument, Command, type Option } from "commander";
import type { CommandForm } from "../command.js";
import { GRAPH_IDS } from "../../graphs/index.js";
import { defaultDatabase } from "../../home/home.js";
import { libraryNames } from "../../home/libraries.js";
import { defaultHome, openWorkspace } from "../../home/workspace.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { settingValues } from "../options.js";

/** Opens the program for some words, with the command that they call. */
type OpenProgram = (
  argv: readonly string[],
) => Promise<{ program: Command; words: readonly string[] }>;

/** `tulipgraph completion bash | zsh | fish` */
export function completionForm(open: OpenProgram): CommandForm {
  return {
    about: "Print a shell script that completes commands, options and values",
    args: {
      "<shell>": { text: "the shell", choices: Object.keys(SCRIPTS) },
      "[words...]": "after --, an unfinished command: print its completions",
    },
    examples: [
      'eval "$(tulipgraph completion bash)"   # in ~/.bashrc; zsh: after compinit',
      "tulipgraph completion fish > ~/.config/fish/completions/tulipgraph.fish",
      "tulipgraph completion fish -- solve --graph nai",
    ],
    run: async (shell: keyof typeof SCRIPTS, words: readonly string[]) => {
      const complete = shell === "bash" ? inBash : completed;
      const found = words.length > 0 ? await complete(open, words) : [];
      process.stdout.write(
        words.length > 0 ? found.map((word) => `${word}\n`).join("") : SCRIPTS[shell],
      );
    },
  };
}

const SCRIPTS = {
  bash: `_tulipgraph() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace 2>/dev/null
}
complete -o default -F _tulipgraph tulipgraph
`,
  zsh: `_tulipgraph() {
  local -a found=("\${(@f)$("\${words[1]}" completion zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "$found" ]] || { _files; return }
  compadd -S '' -- \${(M)found:#*=}
  compadd -- \${found:#*=}
}
compdef _tulipgraph tulipgraph
`,
  fish: `function __tulipgraph_words
  set -l words (commandline -opc)
  set -l last (commandline -ct)
  set -l found ($words[1] completion fish -- $words[2..-1] "$last" 2>/dev/null)
  count $found >/dev/null; and string join \\n -- $found; or __fish_complete_path "$last"
end
complete -c tulipgraph -f -a "(__tulipgraph_words)"
`,
};

/** Bash takes `=` and `:` for words of their own, and replaces only what follows the last of them. */
async function inBash(open: OpenProgram, words: readonly string[]): Promise<string[]> {
  const whole = words.reduce<string[]>((before, word) => {
    const last = before.at(-1) ?? "";
    const isOne = /^[=:]$/.test(word) || /[=:]$/.test(last);
    return isOne ? [...before.slice(0, -1), last + word] : [...before, word];
  }, []);
  const kept = /^.*[=:]/.exec(whole.at(-1) ?? "")?.[0].length ?? 0;
  return (await completed(open, whole)).map((word) => word.slice(kept));
}

/** How the last word may go on. */
async function completed(open: OpenProgram, typed: readonly string[]): Promise<string[]> {
  const before = typed.slice(0, -1);
  const last = typed.at(-1) ?? "";
  const { program, words } = await open(before);
  const { command, option, argument } = placeAfter(program, words);
  const options = [...command.options, ...program.options];
  const [, name, value = ""] = /^(--[\w-]+=)(.*)$/s.exec(last) ?? [];
  const assigned = name && optionIn(options, name.slice(0, -1));
  if (assigned) return starting(last, await valuesOf(assigned, value), name);
  if (option) return starting(last, await valuesOf(option, last));
  // A default subcommand stands for itself and its siblings.
  const { parent } = command;
  const family = parent && before.at(-1) === parent.name() ? parent : command;
  return starting(last, [
    ...family.commands.map((child) => child.name()),
    ...(argument ? await valuesOf(argument, last) : []),
    // Where an argument may be a file, the shell offers files.
    ...(argument && last === "" ? [] : [...options.flatMap(({ long }) => long ?? []), "--help"]),
  ]);
}

function starting(typed: string, words: readonly string[], prefix = ""): string[] {
  return [...new Set(words.map((word) => prefix + word))].filter((word) => word.startsWith(typed));
}

/** The command that words call, and the option or the argument that the next word is for. */
function placeAfter(program: Command, words: readonly string[]) {
  let command = program;
  let option: Option | undefined;
  let given = 0;
  for (const word of words) {
    const child = command.commands.find((each) => each.name() === word);
    if (word.startsWith("-")) option = optionIn([...command.options, ...program.options], word);
    else if (option) option = undefined;
    else if (child) command = child;
    else given += 1;
  }
  const { registeredArguments: all } = command;
  const argument = all[given] ?? all.findLast(({ variadic }) => variadic);
  return { command, option, argument };
}

/** An option that takes a value, by one of its names. */
function optionIn(options: readonly Option[], name: string): Option | undefined {
  return options.find(
    ({ required, optional, short, long }) =>
      (required || optional) && (short === name || long === name),
  );
}

/** What an option or an argument takes, as its placeholder says; for nothing, shells complete files themselves. */
async function valuesOf(taking: Option | Argument, typed: string): Promise<readonly string[]> {
  if (taking.argChoices) return taking.argChoices;
  const placeholder =
    taking instanceof Argument
      ? taking.name()
      : /[<[](.*?)(?:\.\.\.)?[>\]]/.exec(taking.flags)?.[1];
  return (await VALUES[placeholder ?? ""]?.(typed)) ?? [];
}

const VALUES: Record<string, (typed: string) => readonly string[] | Promise<readonly string[]>> = {
  graph: () => GRAPH_IDS,
  graphs: (typed) => {
    const before = typed.slice(0, typed.lastIndexOf(",") + 1);
    return ["all", ...GRAPH_IDS].map((id) => before + id);
  },
  library: async () => {
    if (!hasHome()) return Object.keys(CATALOGS);
    return await libraryNames(openWorkspace().store);
  },
  thread: async () => {
    if (!hasHome()) return [];
    return (await openWorkspace().checkpoints().threads.list()).map(({ id }) => id);
  },
  "setting=value": settingValues,
  "setting=values": settingValues,
};

/** Looking for names must not make a home. */
function hasHome(): boolean {
  return defaultDatabase() !== undefined || existsSync(defaultHome());
}
