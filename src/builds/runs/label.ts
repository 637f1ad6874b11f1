// The label of a run, from the template of its pipeline.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates are written with ${…}

export interface LabelFacts {
  readonly counter: number;
  /** Of the pipeline; null: it is secure, and so not for a label. */
  readonly variables: readonly { readonly name: string; readonly value: string | null }[];
  /** Revisions by the names of the materials; of an upstream pipeline its label. One without a name cannot be meant. */
  readonly materials: readonly { readonly name: string | null; readonly revision: string }[];
}

const TOKEN = /\$\{([^{}[\]]+)(?:\[:(\d+)\])?\}/g;
const VARIABLE = 'env:';
const MAX_LENGTH = 255;

/** A token that stands for nothing stays as it is. */
export function labelOf(template: string, facts: LabelFacts): string {
  const label = template.replaceAll(TOKEN, (token: string, name: string, length: string | undefined) => {
    const text = textFor(name.trim(), facts);
    return text === undefined ? token : firstOf(text, length === undefined ? Number.POSITIVE_INFINITY : Number(length));
  });
  return firstOf(label, MAX_LENGTH);
}

function textFor(name: string, { counter, variables, materials }: LabelFacts): string | undefined {
  if (isSame(name, 'COUNT')) return String(counter);
  if (isSame(name.slice(0, VARIABLE.length), VARIABLE)) {
    const wanted = name.slice(VARIABLE.length);
    // Names of variables may differ in letter case only: then the exact one is meant.
    const found = variables.find((variable) => variable.name === wanted) ?? variables.find((variable) => isSame(variable.name, wanted));
    return found?.value ?? '';
  }
  return materials.find((material) => material.name !== null && isSame(material.name, name))?.revision;
}

/** Characters, not halves of them. */
function firstOf(text: string, length: number): string {
  return text.length <= length ? text : [...text].slice(0, length).join('');
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
