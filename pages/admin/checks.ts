// Checks that users can run before they save: the routes, by resource.

export interface Check {
  readonly label: string;
  readonly address: string;
  /** The message where the server gives none. */
  readonly done: string;
}

const CONNECTION = { label: 'Check connection', done: 'The connection works.' };

export const CHECKS: Readonly<Record<string, Check>> = {
  auth_configs: { ...CONNECTION, address: '/api/admin/internal/security/auth_configs/verify_connection' },
  scms: { ...CONNECTION, address: '/api/admin/internal/scms/verify_connection' },
  repositories: { ...CONNECTION, address: '/api/admin/internal/repositories/verify_connection' },
  packages: { ...CONNECTION, label: 'Check package', address: '/api/admin/internal/packages/verify_connection' },
  mailserver: {
    label: 'Send a test mail',
    address: '/api/config/mailserver/test',
    done: 'The mail server took the test mail to the administrator.',
  },
};
