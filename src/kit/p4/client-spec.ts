// The client workspace, which defines for Perforce which part of the depot a material covers.

/** A form as `p4 client -i` reads it. */
export function clientSpec(name: string, root: string, view: string): string {
  const lines = view
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return [
    `Client: ${name}`,
    '',
    `Root: ${quoted(root)}`,
    '',
    'Options: noallwrite clobber nocompress unlocked nomodtime rmdir',
    '',
    'LineEnd: local',
    '',
    'View:',
    ...lines.map((line) => `\t${mappingFor(name, line)}`),
    '',
  ].join('\n');
}

/** The right side of a mapping names a client; whichever was configured, it must be ours. */
function mappingFor(name: string, line: string): string {
  const [depot = '', client] = [...line.matchAll(/[-+&]?"[^"]*"|\S+/g)].map(([word]) => word.replaceAll('"', ''));
  const path = client === undefined ? withoutMark(depot).replace(/^\/\//, '') : client.replace(/^\/\/[^/]*\//, '');
  return `${quoted(depot)} ${quoted(`//${name}/${path}`)}`;
}

function withoutMark(path: string): string {
  return path.replace(/^[-+&]/, '');
}

function quoted(text: string): string {
  return /\s/.test(text) ? `"${text}"` : text;
}
