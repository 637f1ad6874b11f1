// Service accounts, for administrators: users for programs, and their tokens.
import { useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { reloadOne, useApi } from '../api/queries.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { runAction } from '../kit/messages.tsx';
import { useParameter } from '../kit/routing.ts';
import { Empty, Loaded } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { ACCOUNTS, ACCOUNTS_VERSION, type Account, type AccountList, addressOf } from './account.ts';
import { DeleteAccount, EditAccount } from './edit-account.tsx';
import { TokenSection } from './token-section.tsx';

const TITLE = 'Service accounts';

export function AccountsPage() {
  useTitle(TITLE);
  return (
    <AdminsOnly title={TITLE}>
      <Accounts />
    </AdminsOnly>
  );
}

function Accounts() {
  const read = useApi<AccountList>(ACCOUNTS, ACCOUNTS_VERSION, { everyMs: 30_000 });
  const [isAdding, setIsAdding] = useState(false);
  const [chosen, setChosen] = useParameter('account');
  const add = (
    <button type="button" class="button is-primary" onClick={() => setIsAdding(true)}>
      Add a service account
    </button>
  );
  return (
    <>
      <div class="page-header">
        <h1>{TITLE}</h1>
        {read.data !== undefined && read.data._embedded.service_accounts.length > 0 && add}
      </div>
      <Loaded read={read}>
        {({ _embedded: { service_accounts: accounts } }) =>
          accounts.length === 0 ? (
            <Empty text="There is no service account yet. Programs use one instead of the account of a person who may leave.">{add}</Empty>
          ) : (
            <>
              <AccountTable accounts={accounts} onChoose={setChosen} />
              {accounts.some(({ name }) => name === chosen) && (
                <TokenSection
                  key={chosen}
                  title={`Access tokens of ${chosen}`}
                  level={2}
                  address={`${addressOf(chosen)}/access_tokens`}
                  empty={`${chosen} has no access token yet.`}
                />
              )}
            </>
          )
        }
      </Loaded>
      {isAdding && <EditAccount onClose={() => setIsAdding(false)} />}
    </>
  );
}

interface AccountTableProps {
  readonly accounts: readonly Account[];
  readonly onChoose: (name: string) => void;
}

function AccountTable({ accounts, onChoose }: AccountTableProps) {
  const [edited, setEdited] = useState<Account>();
  const [deleted, setDeleted] = useState<Account>();
  const toggle = async ({ name, enabled }: Account): Promise<void> => {
    const body = { enabled: !enabled };
    await runAction(
      () => send(addressOf(name), { method: 'PUT', version: ACCOUNTS_VERSION, body }),
      `${name} is ${enabled ? 'disabled' : 'enabled'}.`,
    );
    reloadOne(ACCOUNTS);
  };
  return (
    <>
      <div class="table-scroll">
        <table class="tokens">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">What it is for</th>
              <th scope="col">Owner</th>
              <th scope="col">State</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {accounts.map((account) => (
              <tr key={account.name}>
                <td>{account.name}</td>
                <td>{account.description}</td>
                <td>{account.owner}</td>
                <td>{account.enabled ? 'enabled' : <span class="badge">disabled</span>}</td>
                <td class="token-actions">
                  <Action what="Tokens" of={account} onClick={() => onChoose(account.name)} />
                  <Action what="Change …" of={account} onClick={() => setEdited(account)} />
                  <Action what={account.enabled ? 'Disable' : 'Enable'} of={account} onClick={() => void toggle(account)} />
                  <Action what="Delete …" of={account} onClick={() => setDeleted(account)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {edited !== undefined && <EditAccount account={edited} onClose={() => setEdited(undefined)} />}
      {deleted !== undefined && <DeleteAccount account={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

interface ActionProps {
  readonly what: string;
  readonly of: Account;
  readonly onClick: () => void;
}

function Action({ what, of: { name }, onClick }: ActionProps) {
  return (
    <button type="button" class="button is-small" aria-label={`${what.replace(' …', '')}: ${name}`} onClick={onClick}>
      {what}
    </button>
  );
}
