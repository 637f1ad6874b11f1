// Requests that carry a secret and fail: the secret must not come back.

import { type Credentials, type Draft, type Operation, randomDraft, setHeader } from './draft.ts';
import { type Member, membersIn, setOwnProperty } from './mutations.ts';
import { seededRandom } from './random.ts';

/** Sent only where a secret belongs: no answer and no line of the log may contain it. */
export const MARKER = 'hunter2-4e1f0c';

/** The example of an operation with the marker as each of its secrets, wrong in ways that leave the secret one. */
export function secretBodies(operation: Operation, credentials: Credentials): Draft[] {
  const secrets = membersIn(operation.example).filter(isSecretMember);
  return secrets.flatMap(({ holder, key }) => {
    const position = membersIn(operation.example).findIndex((member) => member.holder === holder && member.key === key);
    const drafts: Draft[] = [];
    const add = (about: string, change: (draft: Draft, secret: Member) => void) => {
      const draft = randomDraft(operation, credentials, seededRandom(1));
      const secret = membersIn(draft.json)[position]!;
      setOwnProperty(secret.holder, secret.key, MARKER);
      change(draft, secret);
      drafts.push({ ...draft, about: `${operation.method} ${operation.path}, secret ${key}, ${about}` });
    };
    add('as it should be', () => {});
    add('without a type', (draft) => setHeader(draft, 'Content-Type', 'text/plain'));
    for (const [about, wrapped] of Object.entries({ array: [MARKER], object: { a: MARKER }, objects: { value: { value: [MARKER] } } })) {
      add(`inside an ${about}`, (_, secret) => setOwnProperty(secret.holder, secret.key, wrapped));
    }
    add('in clear and encrypted at once', (_, secret) => setOwnProperty(secret.holder, `encrypted_${secret.key}`, 'v1:00000000:AAAA'));
    add('said twice', ({ json }, secret) => {
      const list = Object.values(json as object).find((member) => Array.isArray(member) && member.includes(secret.holder));
      list?.push(secret.holder);
    });
    for (const name of Object.keys(operation.example as object)) {
      if (name === 'plugin_id') continue;
      const holdsSecret = (draft: Draft) => JSON.stringify((draft.json as Record<string, unknown>)[name]).includes(MARKER);
      add(`${name} of the wrong type`, (draft) => {
        if (!holdsSecret(draft)) setOwnProperty(draft.json as object, name, { odd: [] });
      });
      add(`${name} missing`, (draft) => {
        if (!holdsSecret(draft)) Reflect.deleteProperty(draft.json as object, name);
      });
      add(`${name} not a list`, (draft) => {
        const member = (draft.json as Record<string, unknown>)[name];
        if (Array.isArray(member)) setOwnProperty(draft.json as object, name, member.at(-1) ?? 1);
      });
    }
    for (const cut of [1, 2, 5, 20]) {
      add(`${cut} bytes short`, (draft) => {
        draft.text = Buffer.from(JSON.stringify(draft.json).slice(0, -cut));
      });
    }
    for (const odd of ['x', '"', '}', '\0', '\\']) {
      add(`broken by ${JSON.stringify(odd)}`, (draft) => {
        draft.text = Buffer.from(JSON.stringify(draft.json).replace(`"${MARKER}`, `${odd}"${MARKER}`));
      });
      add(`broken after it by ${JSON.stringify(odd)}`, (draft) => {
        draft.text = Buffer.from(JSON.stringify(draft.json).replace(MARKER, `${MARKER}"${odd}`));
      });
    }
    add('inside a list', (draft) => {
      draft.json = [draft.json];
    });
    return drafts;
  });
}

function isSecretMember({ holder, key }: Member): boolean {
  const { secure, key: setting } = holder as { secure?: unknown; key?: unknown };
  return key === 'password' || (key === 'value' && (secure === true || /secret(?!sFilePath)|password$|token$/i.test(String(setting))));
}
