import { Argument, Command } from "commander";
import { examples } from "../options.js";

/** `tulipgraph completion bash | zsh | fish` */
export function completionCommand(allCommands: () => Promise<readonly Command[]>): Command {
  return new Command("completion")
    .description("Print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .addHelpText(
      "after",
      examples([
        'eval "$(tulipgraph completion bash)"   # in ~/.bashrc; zsh likewise',
        "tulipgraph completion fish > ~/.config/fish/completions/tulipgraph.fish",
      ]),
    )
    .action(async (shell: keyof typeof SCRIPTS) => {
      const places = placesOf(new Command(), await allCommands(), "");
      process.stdout.write(SCRIPTS[shell](places));
    });
}

/** Where a word may be completed: after the words of a command, by its subcommands and options. */
interface Place {
  /** "tools import"; empty after the program's own name. */
  path: string;
  words: string[];
}

const OF_ALL = ["--library", "--json", "--debug", "--help"];

function placesOf(command: Command, children: readonly Command[], path: string): Place[] {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const words = [...children.map((child) => child.name()), ...options, ...OF_ALL];
  const below = children.flatMap((child) =>
    placesOf(child, child.commands, `${path} ${child.name()}`.trim()),
  );
  return [{ path, words }, ...below];
}

const SCRIPTS = { bash, zsh, fish };

/** Words that are not a command, such as the value of an option, leave the place as it is. */
function bash(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  return `_tulipgraph() {
  local at="" word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${at:+$at }$word" in
      ${paths.join("|")}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${places.map(({ path, words }) => `    "${path}") words="${words.join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tulipgraph tulipgraph
`;
}

function zsh(places: readonly Place[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(places)}`;
}

function fish(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  return `function __tulipgraph_words
  set -l at ""
  for word in (commandline -opc)[2..-1]
    switch (string trim "$at $word")
      case ${paths.join(" ")}
        set at (string trim "$at $word")
    end
  end
  switch "$at"
${places.map(({ path, words }) => `    case "${path}"\n      printf '%s\\n' ${words.join(" ")}`).join("\n")}
  end
end
complete -c tulipgraph -a "(__tulipgraph_words)"
`;
}
