// Site URLs: the addresses under which people reach the server, for links in mails and plugins.
import { describedBy } from '../../shape/described.ts';
import type { Field } from '../../shape/field.ts';
import { plainField } from '../../shape/field.ts';
import { readText } from '../../shape/json/reading.ts';
import { joined, singletonMessages } from '../../shape/problems/messages.ts';
import { problemUnless } from '../../shape/problems/problem.ts';
import { singleton } from '../../shape/resource.ts';

function address(description: string): Field<string> {
  return plainField<string>(
    { type: 'string', ...describedBy({ format: 'uri', description }) },
    (cursor, name) => readText(cursor, name) ?? '',
    (value) => value,
  );
}

export const siteUrls = singleton({
  title: 'Site URLs',
  about: 'The addresses under which people reach the server: for links in mails and for plugins, not for links in answers.',
  path: '/api/admin/config/server/site_urls',
  version: 1,
  permission: 'admin',
  doc: 'siteurls-config',
  links: ['doc', 'self'],
  verbs: ['POST', 'PUT'],
  needsIfMatch: false,
  isFlatWhenInvalid: true,
  fields: { siteUrl: address('Starts with http:// or https://.'), secureSiteUrl: address('Starts with https://.') },
  unset: { siteUrl: '', secureSiteUrl: '' },
  rules: [
    ({ siteUrl }) =>
      problemUnless(
        siteUrl === '' || /^https?:\/\/./i.test(siteUrl),
        'site_url',
        `Invalid format for site url. '${siteUrl}' must start with http/s`,
      ),
    ({ secureSiteUrl }) =>
      problemUnless(
        secureSiteUrl === '' || /^https:\/\/./i.test(secureSiteUrl),
        'secure_site_url',
        `Invalid format for secure site url. '${secureSiteUrl}' must start with https`,
      ),
  ],
  messages: { ...singletonMessages('Site urls', { isPlural: true }), invalid: (_, problems) => joined(problems) },
  example: { site_url: 'http://cd.example.org', secure_site_url: 'https://cd.example.org' },
});
