import { InvalidSetting } from "../common/errors.js";
import { CATALOGS } from "../tools/catalogs/index.js";

/**
 * The library of what is imported without one being named: it has the source's own name.
 *
 * @throws InvalidSetting when the tools would be mixed with those of a catalogue that ships
 */
export function ownLibrary({
  name,
  ...told
}: {
  name: string;
  setting: string;
  hint: string;
}): string {
  if (!Object.hasOwn(CATALOGS, name)) return name;
  const problem = `its library would be "${name}", which ships with tulipgraph`;
  throw new InvalidSetting({ ...told, problem });
}
