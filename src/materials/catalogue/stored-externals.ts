// The externals of a material, as they are stored with it: after a restart they are known before the next poll.
import { maskedAddress } from '../addresses/address.ts';
import type { ExternalPlace, MaterialClient, PolledMaterial } from '../clients/client.ts';
import type { External } from './externals.ts';

type Maker = Pick<MaterialClient<PolledMaterial>, 'external'>;

/** Without externals whose addresses hold secrets: the text is stored in clear. */
export function keptText(places: readonly ExternalPlace[]): string {
  const open = places.filter(({ url }) => maskedAddress(url) === url);
  return JSON.stringify(open.map(({ url, rootUrl }) => ({ url, rootUrl })));
}

export function externalsAt(places: readonly ExternalPlace[], client: Maker): readonly External[] {
  return places.map((place) => (owner) => client.external!(owner, place));
}

/** undefined: nothing was kept, or something else. */
export function storedExternals(text: string | undefined, client: Maker | undefined): readonly External[] | undefined {
  return text !== undefined && client?.external ? externalsAt(JSON.parse(text) as readonly ExternalPlace[], client) : undefined;
}
