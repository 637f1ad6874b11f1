// The scope of a cipher text: a config repo or a pipeline group, and one address. Messages quote nothing of the body, which holds a secret.
import { Refusal } from '../../../kit/refusal.ts';
import { isObject, type Json, type JsonObject, type JsonSchema } from '../../../shape/json/json.ts';
import { TEXT } from '../../../shape/json/schemas.ts';
import { originOf } from '../../../shape/secrets/destination.ts';
import { configRepoScope, pipelineGroupScope } from '../../../shape/secrets/secret-scope.ts';

const SCOPES: Readonly<Record<string, (name: string) => string>> = { config_repo: configRepoScope, pipeline_group: pipelineGroupScope };

export const SCOPE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  scope: {
    type: 'object',
    description: 'Where alone the cipher text opens: one of the two. Absent: everywhere.',
    properties: {
      config_repo: { ...TEXT, description: 'The id of a config repo: in what its files define.' },
      pipeline_group: { ...TEXT, description: 'The name of a pipeline group: in its pipelines, wherever they are defined.' },
    },
  },
  address: {
    ...TEXT,
    description:
      'The address of a repository, or the port of Perforce. The cipher text then opens only as the password of a material with the same scheme, host and port, and not in a variable.',
  },
};

const ONE_SCOPE = '`scope` must be an object with one member, `config_repo` or `pipeline_group`, that names one of them.';
const NO_ADDRESS = '`address` must be the address of a repository, such as https://scm.example.org.';

/** Undefined: the text is to open everywhere. */
export function scopeIn({ scope = null }: JsonObject): string | undefined {
  if (scope === null) return undefined;
  const [[member, name] = ['', null], ...others] = isObject(scope) ? Object.entries(scope) : [];
  const scopeOf = Object.hasOwn(SCOPES, member) ? SCOPES[member] : undefined;
  if (!scopeOf || others.length > 0 || !isFilled(name)) throw new Refusal('invalid', ONE_SCOPE);
  return scopeOf(name);
}

/** Undefined: the secret may be sent anywhere. */
export function destinationIn({ address = null }: JsonObject): string | undefined {
  if (address === null) return undefined;
  if (!isFilled(address)) throw new Refusal('invalid', NO_ADDRESS);
  return originOf(address);
}

function isFilled(value: Json): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
