// Perforce depots.
import { required } from '../../../shape/field.ts';
import { flag, optionalText } from '../../../shape/fields.ts';
import { isGiven, orUnset, password, username } from '../attributes/common.ts';
import { defineRepository, textOf } from '../repository-definition.ts';
import { p4ClientVariable } from './material.ts';

const CLASS = 'P4Material';
const port = required(optionalText({ label: 'Server and port', description: '[transport:]host:port' }));
const useTickets = flag(false, { description: 'Whether to log in with a ticket.' });
const view = required(optionalText({ format: 'multiline', description: 'The view.' }));

export const p4 = defineRepository({
  title: 'Perforce',
  className: CLASS,
  addressedBy: 'port',
  fields: { port, useTickets, view, username, password: password(CLASS, 'port') },
  inPipelines: { before: {}, after: { port, useTickets, view } },
  problems: (attributes, check) => [
    ...check(isGiven(attributes.view), 'view', 'P4 view cannot be empty.'),
    ...check(isGiven(attributes.port), 'port', 'P4 port cannot be empty.'),
  ],
  identity: (own: { readonly port: string | null; readonly username?: string | null; readonly view: string | null }) => [
    ['type', CLASS],
    ['url', own.port ?? ''],
    ['username', orUnset(own.username)],
    ['view', own.view ?? ''],
  ],
  details: (own) => [
    ['View', own.view],
    ['Username', own.username],
  ],
  xml: {
    attributes: [
      { name: 'port', member: 'port', is: 'required' },
      { name: 'useTickets', member: 'use_tickets', is: 'flag' },
    ],
    elements: [{ name: 'view', member: 'view' }],
    username: 'null',
  },
  file: { title: 'Perforce', needs: ['port', 'view'], texts: ['port', 'view'], flags: ['use_tickets'], hasShortForm: true },
  forAgents: (material, { common, name }) => ({
    ...common,
    type: 'p4',
    port: textOf(material.port),
    view: textOf(material.view),
    use_tickets: material.useTickets === true,
    client_variable: p4ClientVariable({ name, destination: common.destination }),
  }),
  load: async () => (await import('./access.ts')).p4Access,
});
