// Reads `name=value, name=value`, in which people write mounts and secrets of Docker.

/** An option without a value has an empty one. */
export function optionsIn(line: string): ReadonlyMap<string, string> {
  return new Map(line.split(',').map(optionIn));
}

export function optionIn(text: string): readonly [name: string, value: string] {
  const [name = '', ...value] = text.split('=');
  return [name.trim(), value.join('=').trim()];
}
