// A text that stands for a secret kept elsewhere: `{{SECRET:[config][key]}}`.
export const SECRET_REFERENCE = /\{\{SECRET:\[([^\]{]*)\]\[([^\]{]*)\]\}\}/g;

export function refersToSecret(text: string): boolean {
  return text.search(SECRET_REFERENCE) >= 0;
}

/** The ids of the secret configs that a text names. */
export function secretConfigsIn(text: string): string[] {
  return [...text.matchAll(SECRET_REFERENCE)].map(([, id]) => id!);
}
