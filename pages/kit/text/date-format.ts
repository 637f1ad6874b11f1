// Formats for dates and times, in the language of the browser.

const formats = new Map<string, Intl.DateTimeFormat>();

/** Made when it is first needed: that takes longer than drawing a page. */
export function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify(options);
  const known = formats.get(name);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(undefined, options);
  formats.set(name, made);
  return made;
}
