// The externals of a material, as they are stored with it: after a restart they are known before the next poll.
import { maskedAddress } from '../addresses/address.ts';
import type { ExternalLocation, MaterialClient, PolledMaterial } from '../clients/client.ts';
import type { External } from './externals.ts';

type ExternalClient = Pick<MaterialClient<PolledMaterial>, 'external'>;

/** Without externals whose addresses hold secrets: the text is stored in clear. */
export function externalsText(locations: readonly ExternalLocation[]): string {
  const open = locations.filter(({ url }) => maskedAddress(url) === url);
  return JSON.stringify(open.map(({ url, rootUrl }) => ({ url, rootUrl })));
}

export function externalsAt(locations: readonly ExternalLocation[], client: ExternalClient): readonly External[] {
  return locations.map((location) => (owner) => client.external!(owner, location));
}

/** undefined: nothing was kept, or something else. */
export function storedExternals(text: string | undefined, client: ExternalClient | undefined): readonly External[] | undefined {
  return text !== undefined && client?.external ? externalsAt(JSON.parse(text) as readonly ExternalLocation[], client) : undefined;
}
