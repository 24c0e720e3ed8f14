/** Whether a media type is JSON, or based on it. */
export function isJson(type: string): boolean {
  return (
    /^(?:application|text)\/(?:x-|[\w.+*-]+\+)?json\b/i.test(type) ||
    /^(?:json$|\*\/\*)/i.test(type)
  );
}

export function isForm(type: string): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(type);
}

export function isMultipart(type: string): boolean {
  return /^multipart\//i.test(type);
}
