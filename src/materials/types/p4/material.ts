// The attributes of a Perforce material.
import { asVariableName } from '../../../kit/text/variable-name.ts';
import type { PolledMaterial } from '../../clients/client.ts';

export interface P4Material extends PolledMaterial {
  readonly type: 'p4';
  /** `[transport:]host:port` */
  readonly port: string;
  readonly view: string;
  readonly username?: string | null;
  readonly password?: string | null;
  /** Log in with a ticket instead of sending the password each time. */
  readonly useTickets: boolean;
}

/** Only a text of this form is handed to p4 as a revision. */
export function isRevision(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text);
}

/** The variable that names a client workspace of Perforce to tasks. */
export function p4ClientVariable({ name, destination }: { readonly name: string | null; readonly destination: string | null }): string {
  const called = name || destination;
  return ['GO_P4_CLIENT', ...(called ? [asVariableName(called)] : [])].join('_');
}
