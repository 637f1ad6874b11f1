// What a material brings in, as it is kept with it: after a restart it is known before anybody has asked again.
import { maskedAddress } from '../addresses/address.ts';
import type { BroughtInPlace, MaterialClient, PolledMaterial } from '../clients/client.ts';
import type { BringIn } from './externals.ts';

type Maker = Pick<MaterialClient<PolledMaterial>, 'broughtIn'>;

/** Without those whose addresses hold secrets: what is kept is kept in clear. */
export function keptText(places: readonly BroughtInPlace[]): string {
  const open = places.filter(({ url }) => maskedAddress(url) === url);
  return JSON.stringify(open.map(({ url, rootUrl }) => ({ url, rootUrl })));
}

export function bringInsAt(places: readonly BroughtInPlace[], client: Maker): readonly BringIn[] {
  return places.map((place) => (owner) => client.broughtIn!(owner, place));
}

/** undefined: nothing was kept, or something else. */
export function keptBringIns(text: string | undefined, client: Maker | undefined): readonly BringIn[] | undefined {
  return text !== undefined && client?.broughtIn ? bringInsAt(JSON.parse(text) as readonly BroughtInPlace[], client) : undefined;
}
