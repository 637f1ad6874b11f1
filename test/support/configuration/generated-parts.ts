// Pieces of generated entities: values as they are sent, and as answers show them.
import * as fc from 'fast-check';
import { hasInvisibleCharacter } from '../../../src/kit/text/invisible-characters.ts';

export type Body = Readonly<Record<string, unknown>>;
/** A value as it is sent, and as answers show it; undefined: left out. */
export interface Part<Sent = unknown, Shown = unknown> {
  readonly sent: Sent;
  readonly shown: Shown;
}
export type Arbitrary<Sent = unknown, Shown = unknown> = fc.Arbitrary<Part<Sent, Shown>>;

/** Stands for any cipher text in answers. */
export const CIPHER_TEXT = '<cipher text>';
export const SECRET_PREFIX = 'not-to-be-seen-';

export const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 30 }));
export const filledText = text.filter((one) => one.trim() !== '');
/** Names have no invisible characters. */
const seenText = text.filter((one) => !hasInvisibleCharacter(one));
const seenName = seenText.map((one) => one.trim().normalize('NFC')).filter((one) => one !== '');
export const secretText = text.map((one) => `${SECRET_PREFIX}${one}`);
export const npmName = fc.stringMatching(/^(@[a-z0-9]{1,8}\/)?[a-z0-9][a-z0-9._-]{0,20}$/);
export const shortName = fc.stringMatching(/^[a-zA-Z0-9_-][a-zA-Z0-9_.-]{0,20}$/);
export const name = fc.oneof(
  { weight: 9, arbitrary: shortName },
  fc.constantFrom('__proto__', 'constructor', '-', '_', '0', 'a..', 'x'.repeat(255)),
);
export const unsuitableName = fc.oneof(
  fc.tuple(shortName, fc.constantFrom(' ', '/', 'ü', ':', '\n', '%', '😀'), shortName).map((parts) => parts.join('')),
  shortName.map((one) => `.${one}`),
  fc.constant('x'.repeat(256)),
);
export const webAddress = fc.webUrl({ validSchemes: ['http', 'https'] });

export const same = <T>(values: fc.Arbitrary<T>): Arbitrary<T, T> => values.map((value) => ({ sent: value, shown: value }));
export const shownAs = <T>(values: fc.Arbitrary<T>, show: (value: T) => unknown): Arbitrary =>
  values.map((value) => ({ sent: value, shown: show(value) }));
export const leftOut = (shown?: unknown): Arbitrary => fc.constant({ sent: undefined, shown });
export const perhaps = (part: Arbitrary, shownWithout?: unknown): Arbitrary => fc.oneof(part, leftOut(shownWithout));
export const flag = (absent: boolean): Arbitrary => fc.oneof(same(fc.boolean()), leftOut(absent));

function shuffled<T>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
}

/** An object with these members, sent in any order. */
export function object(members: Readonly<Record<string, Arbitrary>>): Arbitrary<Body, Body> {
  return fc.tuple(fc.record(members), shuffled(Object.keys(members))).map(([parts, order]) => ({
    sent: Object.fromEntries(order.flatMap((key) => (parts[key]!.sent === undefined ? [] : [[key, parts[key]!.sent]]))),
    shown: Object.fromEntries(Object.entries(parts).flatMap(([key, { shown }]) => (shown === undefined ? [] : [[key, shown]]))),
  }));
}

export function list(parts: fc.Arbitrary<readonly Part[]>): Arbitrary {
  return parts.map((items) => ({ sent: items.map(({ sent }) => sent), shown: items.map(({ shown }) => shown) }));
}

type Setting = Arbitrary<Body, Body>;
export const plain = (key: string, values: fc.Arbitrary<string> = filledText): Setting =>
  values.map((value) => ({ sent: { key, value }, shown: { key, value } }));
export const secret = (key: string, more: object = {}): Setting =>
  secretText.map((value) => ({ sent: { key, value, ...more }, shown: { key, encrypted_value: CIPHER_TEXT } }));
const valueless = (key: string): Setting => fc.constantFrom({ key }, { key, value: ' ' }).map((sent) => ({ sent, shown: { key } }));
export const optional = (...keys: string[]): Setting[] => keys.map((key) => fc.oneof(plain(key), valueless(key)));

/** All of the needed settings and some of the others, in any order. */
export function settings(needed: readonly Setting[], others: readonly Setting[] = []): Arbitrary {
  const some = fc
    .tuple(...others.map((other) => fc.option(other, { nil: undefined })))
    .map((ones) => ones.filter((one) => one !== undefined));
  return list(fc.tuple(fc.tuple(...needed), some).chain(([all, more]) => shuffled([...all, ...more])));
}

/** Settings under any keys, as plugins have them that are not installed. */
export const foreignSettings = list(
  fc.uniqueArray(
    fc.oneof(
      seenText.filter((key) => !/pass|secret|token|key|credential/i.test(key)).chain((key) => fc.oneof(plain(key), valueless(key))),
      fc
        .tuple(shortName, fc.constantFrom('Password', '_TOKEN', 'ClientSecret', 'access-key', 'Credentials'))
        .chain((parts) => secret(parts.join(''))),
    ),
    { maxLength: 6, selector: ({ sent }) => String(sent.key).toLowerCase() },
  ),
);
export const foreignPlugin = same(shortName.map((one) => `com.example.${one}`));

export const ofPlugin = (id: string, known: Arbitrary, more: Readonly<Record<string, Arbitrary>> = {}): Arbitrary<Body, Body> =>
  fc.oneof(
    object({ plugin_id: same(fc.constant(id)), properties: known, ...more }),
    object({ plugin_id: foreignPlugin, properties: foreignSettings, ...more }),
  );

export const number = (min: number, max: number) => fc.integer({ min, max }).map(String);
export const schedule = fc
  .tuple(
    number(0, 59),
    number(0, 59),
    fc.oneof(number(0, 23), fc.constant('22-2')),
    fc.constantFrom('? * MON-FRI', '15W * ?', 'L-3 JAN,6 ?', '? * 6#3 2027-2030'),
  )
  .map((fields) => fields.join(' '));
export const userNames = same(fc.array(fc.oneof(shortName, seenName), { maxLength: 5 }));
export const members = object({
  users: fc.oneof(userNames, leftOut([])),
  roles: fc.constantFrom({ sent: [], shown: [] }, { sent: undefined, shown: [] }),
});
export const nobody = { users: [], roles: [] };
/** Paths and mail addresses have no line breaks or other control characters. */
export const withoutControls = (values: fc.Arbitrary<string>) => values.filter((one) => !/\p{Cc}/u.test(one));
export const path = withoutControls(filledText);
export const email = withoutControls(fc.tuple(text, text).map(([one, other]) => `${one}@${other}`));

export const maskedAddress = fc
  .tuple(fc.webPath(), fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-zA-Z0-9~!$-]{1,12}$/))
  .map(([path, user, password]) => ({
    sent: `https://${user}:${SECRET_PREFIX}${password}@scm.example.org${path}`,
    shown: `https://${user}:******@scm.example.org${path}`,
  }));
export const optionalText = perhaps(same(text), null);
const userName = same(filledText);
export const password = { password: shownAs(secretText, () => undefined), encrypted_password: leftOut(CIPHER_TEXT) };

/** Members of the attributes in requests and answers; user name and password stand in the address or beside it, or nowhere. */
export const material = (type: string, attributes: Readonly<Record<string, Arbitrary>>): Arbitrary =>
  object({
    type: shownAs(fc.constantFrom(type, type.toUpperCase()), () => type),
    attributes: object({ name: perhaps(same(fc.constant(null)), null), auto_update: flag(true), ...attributes }),
  });
const branch = same(fc.stringMatching(/^[a-z][a-z0-9/_-]{0,20}$/));
export const gitBranch = fc.oneof(
  branch,
  leftOut('master'),
  fc.constant({ sent: 'refs/pull/1/head:pr-1', shown: 'refs/pull/1/head:pr-1' }),
);
export const materials = fc.oneof(
  material('git', { url: same(webAddress), username: perhaps(userName), ...password, branch: gitBranch }),
  material('git', { url: fc.oneof(maskedAddress, same(fc.constant('git@scm.example.org:a.git'))), branch: gitBranch }),
  material('hg', { url: fc.oneof(same(webAddress), maskedAddress), branch: perhaps(branch) }),
  material('hg', { url: same(webAddress), username: userName, ...password }),
  material('svn', { url: fc.oneof(same(webAddress), maskedAddress), check_externals: flag(false), username: optionalText, ...password }),
  material('p4', { port: same(filledText), use_tickets: flag(false), view: same(filledText), username: optionalText }),
  material('tfs', { url: same(webAddress), project_path: same(filledText), domain: optionalText, username: userName, ...password }),
);
export const rulesOn = (...types: string[]): Arbitrary =>
  list(
    fc.array(
      object({
        directive: same(fc.constantFrom('allow', 'deny')),
        action: same(fc.constantFrom('refer', '*')),
        type: same(fc.constantFrom(...types)),
        resource: same(filledText),
      }),
      { maxLength: 4 },
    ),
  );
export const rules = rulesOn('environment', 'pipeline', 'pipeline_group', '*');

export const variablesOf = (values: fc.Arbitrary<string>): Arbitrary =>
  list(
    fc.uniqueArray(
      fc
        .tuple(
          seenName.filter((one) => !one.includes('#')),
          values,
          fc.constantFrom(true, false, undefined),
        )
        .map(([variable, value, secure]) => ({
          sent: { name: variable, value: secure ? `${SECRET_PREFIX}${value}` : value, ...(secure !== undefined && { secure }) },
          shown: secure ? { secure, name: variable, encrypted_value: CIPHER_TEXT } : { secure: false, name: variable, value },
        })),
      { maxLength: 5, selector: ({ sent }) => sent.name.toLowerCase() },
    ),
  );
export const variables = variablesOf(text);
export const PIPELINES = ['web', 'Billing', 'tools'];
export const pipelineNames = list(
  fc.shuffledSubarray(PIPELINES).map((names) => names.map((one) => ({ sent: { name: one }, shown: { name: one } }))),
);
export const purgeSettings = fc
  .tuple(fc.double({ min: 0.001, max: 5000, noNaN: true }), fc.double({ min: 5000, max: 1e6, noNaN: true }))
  .map(([start, upto]) => ({ purge_start_disk_space: start, purge_upto_disk_space: upto }));
