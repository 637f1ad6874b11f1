// Secrets in the sealed form of an entity: compared by their cipher texts, never shown.
import { isObject, type Json } from '../../shape/json/json.ts';
import { sealedAddress } from '../../shape/secrets/sealed-address.ts';

/** Stands for any secret, in differences, patches and words. */
export const SECRET = '(secret)';
const MASK = '******';
const PREFIX = 'encrypted_';

export function isSecretMember(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** The name of a member without the prefix of secrets. */
export function plainName(name: string): string {
  return isSecretMember(name) ? name.slice(PREFIX.length) : name;
}

/** The value without anything secret: `(secret)` for cipher texts, `******` for passwords in addresses. */
export function withoutSecrets(value: Json, member = ''): Json {
  if (typeof value === 'string') return isSecretMember(member) ? SECRET : withoutPassword(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, withoutSecrets(held, name)]));
}

export function withoutPassword(text: string): string {
  const sealed = sealedAddress(text);
  return sealed ? `${sealed.before}${MASK}${sealed.after}` : text;
}
