// Addresses of repositories as materials have them: one that cannot be passed to a program is refused.
import { type Address, isBroken, type Login, parseAddress } from '../../kit/network/repository-address.ts';
import { MaterialProblem } from '../clients/client.ts';

export { type Address, isLocal, type Login, maskedAddress, redactor } from '../../kit/network/repository-address.ts';

const LINE_BREAK = 'A line break cannot be part of a user name or a password of a repository.';

export function openAddress(text: string, attributes: { readonly [K in keyof Login]?: Login[K] | null } = {}): Address {
  const address = parseAddress(text, attributes);
  if (isBroken(address)) throw new MaterialProblem(LINE_BREAK);
  return address;
}
