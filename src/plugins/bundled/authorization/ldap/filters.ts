// Templates of LDAP filters: texts with placeholders, in whose place escaped values are put.

const ATTRIBUTE_NAME = /^[a-z][a-z0-9-]*$/i;

export function isAttributeName(text: string): boolean {
  return ATTRIBUTE_NAME.test(text);
}

/** Removes the blanks that people write between filters, as in `(|(uid={0}) (mail={0}))`. */
export function normalFilter(template: string): string {
  const bare = template
    .trim()
    .replaceAll(/\)\s+(?=[()])/g, ')')
    .replaceAll(/\(\s*([&|!])\s*\(/g, '($1(');
  return bare === '' || bare.startsWith('(') ? bare : `(${bare})`;
}

/** `{0}` stands for the name that is looked for. */
export function filterFor(template: string, name: string): string {
  return template.replaceAll('{0}', () => escapeForFilter(name));
}

/** The attributes that a filter compares with the name that is looked for. */
export function comparedAttributes(template: string): readonly string[] {
  return [...template.matchAll(/\(([\w-]+)=\{0\}\)/g)].map((match) => match[1] as string);
}

/** The filter, changed to compare the name with this attribute only. Its other conditions still count. */
export function comparingOnly(template: string, attribute: string): string {
  return template.replaceAll(/\([\w-]+=\{0\}\)/g, () => `(${attribute}={0})`);
}

/** RFC 4515, section 3. */
export function escapeForFilter(text: string): string {
  return [...text].map((char) => ('\\*()\0'.includes(char) ? `\\${char.charCodeAt(0).toString(16).padStart(2, '0')}` : char)).join('');
}
