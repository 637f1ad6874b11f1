// Templates as the list of the API has them, and the initial values of a new one.
import type { Members } from '../forms/edit/members.ts';

export const TEMPLATES_ADDRESS = '/api/admin/templates';
export const TEMPLATES_VERSION = 7;
export const RIGHTS_VERSION = 1;

export interface ListedTemplate {
  readonly name: string;
  readonly can_edit: boolean;
  readonly can_administer: boolean;
  readonly _embedded: { readonly pipelines: readonly { readonly name: string; readonly can_administer: boolean }[] };
}

export interface TemplateList {
  readonly _embedded: { readonly templates: readonly ListedTemplate[] };
}

export interface TemplateRights {
  readonly all_group_admins_are_view_users: boolean;
  readonly admin: Members;
  readonly view: Members;
}

/** The least that the server takes: the editor does the rest. */
export const NEW_TEMPLATE = {
  name: '',
  stages: [{ name: 'build', jobs: [{ name: 'build', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }],
};
