// The formats in which commands print the answers of a server.

export const OUTPUTS = ['table', 'json', 'yaml', 'name'] as const;
export type OutputFormat = (typeof OUTPUTS)[number];
