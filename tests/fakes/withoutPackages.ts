/** The environment of a process in which packages look as if they were not installed. */
export function withoutPackages(...names: string[]): { NODE_OPTIONS: string } {
  const hooks = `export async function resolve(name, context, next) {
    if (${JSON.stringify(names)}.includes(name)) throw new Error("Cannot find package '" + name + "'");
    return await next(name, context);
  }`;
  const code = `import { register } from "node:module"; register(${JSON.stringify(asUrl(hooks))});`;
  return { NODE_OPTIONS: `--import=${asUrl(code)}` };
}

function asUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
