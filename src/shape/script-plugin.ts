// Formats that know no tasks of the type `script` write them as tasks of a plugin that does not exist.
export const SCRIPT_PLUGIN = 'slipway.script';
export const SCRIPT_SETTINGS = ['script', 'shell', 'working_directory'] as const;

/** A plugin whose id could be taken for it is written with one dot more. */
const ALIKE = /^slipway\.script\.*$/;

export function writtenPluginId(id: string): string {
  return ALIKE.test(id) ? `${id}.` : id;
}

export function readPluginId(written: string): string {
  return ALIKE.test(written) ? written.slice(0, -1) : written;
}
