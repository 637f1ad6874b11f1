// Reads a Dockerfile: its stages, and the steps of each.

export interface Step {
  readonly word: string;
  readonly rest: string;
}

export interface Stage {
  readonly name: string;
  /** An image, or another stage. */
  readonly from: string;
  readonly steps: readonly Step[];
}

export function readStages(text: string): readonly Stage[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { name: string; from: string; steps: Step[] }[] = [];
  for (const line of lines) {
    const [, word, rest] = /^(\w+) (.*)$/.exec(line) ?? [];
    if (word === undefined || rest === undefined) throw new Error(`This line of the Dockerfile cannot be read: ${line}`);
    const [, from, name] = word === 'FROM' ? (/^(\S+) AS (\S+)$/.exec(rest) ?? []) : [];
    if (from !== undefined && name !== undefined) stages.push({ name, from, steps: [] });
    else stages.at(-1)?.steps.push({ word, rest });
  }
  return stages;
}
