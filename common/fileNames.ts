/** What stands for a file in results and arguments: its name, which follows from its contents and its type. */
const FILE_NAME = /received\/[0-9a-f]{32}\.[\w-]{1,40}/;

const NAMES = new RegExp(FILE_NAME, "g");
const ONE_NAME = new RegExp(`^${FILE_NAME.source}$`);

/** The names of files in a text, each once, in their order. */
export function fileNames(text: string): string[] {
  return [...new Set(text.match(NAMES))];
}

export function isFileName(text: string): boolean {
  return ONE_NAME.test(text);
}

const PICTURES = ["png", "jpeg", "gif", "webp"];

/** The type of a picture; undefined for any other file, which is only saved or passed on. */
export function pictureType(name: string): string | undefined {
  const ending = name.split(".").at(-1) ?? "";
  return PICTURES.includes(ending) ? `image/${ending}` : undefined;
}

/** A file as an address. Only pictures have a type that a browser would show. */
export function dataUrl({ name, data }: { name: string; data: Buffer }): string {
  return `data:${pictureType(name) ?? "application/octet-stream"};base64,${data.toString("base64")}`;
}
