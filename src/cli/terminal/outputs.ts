// The formats in which commands print what a server tells.

export const OUTPUTS = ['table', 'json', 'yaml', 'name'] as const;
export type OutputFormat = (typeof OUTPUTS)[number];
