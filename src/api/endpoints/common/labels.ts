// The labels of members of a body and of settings, from their names.

/** Words with a letter case of their own, by their lower case. */
const ABBREVIATIONS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'AMI',
    'ARN',
    'AWS',
    'CA',
    'CPU',
    'DN',
    'DNS',
    'EFS',
    'IAM',
    'ID',
    'IDs',
    'IOPS',
    'IP',
    'OS',
    'SCM',
    'TLS',
    'URI',
    'URL',
    'URLs',
    'XML',
  ].map((word) => [word.toLowerCase(), word]),
);

/** `artifact_store_id` is the `Artifact store`: people choose the thing, not its id. */
export function labelOf(name: string): string {
  const words = splitName(name);
  return sentence(words.length > 1 && words.at(-1) === 'id' ? words.slice(0, -1) : words);
}

/** `AWSAccessKeyId` is the `AWS access key ID`. */
export function settingLabel(key: string): string {
  return sentence(splitName(key));
}

/** Names are written as `some_name`, `SomeName` or `SOME_NAME`. */
function splitName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/)
    .filter((word) => word !== '');
}

function sentence(words: readonly string[]): string {
  const text = words.map((word) => ABBREVIATIONS[word] ?? word).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
