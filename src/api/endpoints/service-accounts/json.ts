// A service account as JSON, and in bodies.
import { newUser, type ServiceAccount, type User } from '../../../access/users/users.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { isProse, NOT_PROSE } from '../../../kit/text/control-characters.ts';
import type { JsonObject, JsonOut } from '../../../shape/json/json.ts';
import { docLink, links } from '../common/links.ts';

export const ACCOUNTS_PATH = '/api/admin/service_accounts';
export const ACCOUNTS_CHAPTER = 'service-accounts';
export const EXAMPLE_ACCOUNT = 'release-bot';
export const ACCOUNT_PARAMETER = { description: 'The name of the service account, case-insensitive.', example: EXAMPLE_ACCOUNT };
export const unknownAccount = (name: string) => `Service account '${name}' was not found!`;
const MAX_DESCRIPTION_LENGTH = 1024;

export function newAccount(name: string, account: ServiceAccount): User {
  return { ...newUser(name), serviceAccount: account };
}

export function accountJson({ loginName, enabled, serviceAccount }: User, base: string): JsonOut {
  const self = `${ACCOUNTS_PATH}/${encodeURIComponent(loginName)}`;
  return {
    _links: links(base, {
      self,
      doc: docLink(ACCOUNTS_CHAPTER),
      find: `${ACCOUNTS_PATH}/:name`,
      access_tokens: `${self}/access_tokens`,
    }),
    name: loginName,
    description: serviceAccount?.description ?? '',
    owner: serviceAccount?.owner ?? '',
    enabled,
  };
}

export function accountListJson(accounts: readonly User[], base: string): JsonOut {
  return {
    _links: links(base, { self: ACCOUNTS_PATH, doc: docLink(ACCOUNTS_CHAPTER) }),
    _embedded: { service_accounts: accounts.map((account) => accountJson(account, base)) },
  };
}

export interface AccountBody extends ServiceAccount {
  readonly enabled: boolean;
}

/** Members that the body leaves out are as in `otherwise`. */
export function readAccount(body: JsonObject, otherwise: AccountBody): AccountBody {
  const description = textIn(body, 'description') ?? otherwise.description;
  if (description.length > MAX_DESCRIPTION_LENGTH)
    throw new Refusal('invalid', `The field 'description' must not be longer than ${MAX_DESCRIPTION_LENGTH} characters.`);
  if (!isProse(description)) throw new Refusal('invalid', `The field 'description' ${NOT_PROSE}.`);
  const enabled = body.enabled ?? otherwise.enabled;
  if (typeof enabled !== 'boolean') throw new Refusal('invalid', '`enabled` must be true or false.');
  return { description, owner: textIn(body, 'owner') ?? otherwise.owner, enabled };
}

export function textIn(body: JsonObject, name: string): string | undefined {
  const value = body[name] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new Refusal('invalid', `The field '${name}' must be a text.`);
}
