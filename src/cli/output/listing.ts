// A list in any format: the same for all commands that have one.
import type { JsonObject } from '../../shape/json/json.ts';
import type { Context } from '../terminal/context.ts';
import { jsonText, outputIn, widthOf, yamlText } from './output.ts';
import { type Table, tableText } from './table.ts';

export interface Listing {
  /** The name of the list in YAML. */
  readonly key: string;
  readonly members: readonly JsonObject[];
  readonly names: readonly string[];
  readonly table: () => Table | Promise<Table>;
  /** The message for people when the list is empty. */
  readonly none: string;
}

export async function writeListing(listing: Listing, values: { readonly output: string | undefined }, context: Context): Promise<number> {
  const { key, members, names, table, none } = listing;
  const { out, err } = context;
  const output = outputIn(values, 'table');
  if (output === 'json') out.write(jsonText(members));
  else if (output === 'yaml') out.write(yamlText({ [key]: members }));
  else if (output === 'name') out.write(names.map((name) => `${name}\n`).join(''));
  else if (members.length === 0) err.write(`${none}\n`);
  else out.write(tableText(await table(), widthOf(context)));
  return 0;
}
