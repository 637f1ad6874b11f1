// The commands that give a user of a password file a password: a new user, or an existing one.
import { closest } from '../../kit/text/closest.ts';
import { DirectoryMoved } from '../../store/files/moved.ts';
import { acceptedBy, answerOf, askServer, refusalOf, sending } from '../terminal/ask-server.ts';
import type { ParsedArguments } from '../terminal/command.ts';
import type { Context } from '../terminal/context.ts';
import { CommandFailed, UsageError } from '../terminal/failures.ts';
import { type Installation, type InstallationValues, installationIn } from '../terminal/installation.ts';
import { type NewPasswordValues, newPassword } from '../terminal/new-password.ts';
import { namesServer, type RemoteServer, type ServerValues, serverOf } from '../terminal/target.ts';
import { hasLogin, loginsIn, mustBeLoginName, type PasswordFile, passwordFilesOf, writePassword } from './password-files.ts';
import { withSharedFiles } from './shared-files.ts';

const USERS = '/api/users';
const NOT_FOUND = 404;
const LOGIN_WITHOUT_SERVER =
  '--user, --password and --token log in to a server: give --url, too. The password of the new user is asked for, or read with --stdin.';

interface PasswdValues extends NewPasswordValues, InstallationValues {}

interface AddValues extends PasswdValues, ServerValues {
  readonly email: string | undefined;
  readonly 'no-password': boolean;
}

export async function runUserAdd({ values, positionals: [name = ''] }: ParsedArguments<AddValues>, context: Context): Promise<number> {
  mustBeLoginName(name);
  const server = namesServer(values, context.environment) ? serverOf(values, context) : undefined;
  if (!server && (values.user ?? values.password ?? values.token) !== undefined) throw new UsageError(LOGIN_WITHOUT_SERVER);
  if (!server && values['no-password']) throw new UsageError('--no-password only makes a user known to a server: give --url, too.');
  if (!server && values.email !== undefined) throw new UsageError('--email is kept by the server: give --url, too.');
  if (values['no-password']) await makeKnown(server!, name, values.email, true);
  const file = values['no-password'] ? undefined : await addToFile(name, server, values, context);
  context.err.write(`${addedText(name, file, server)}\n`);
  return 0;
}

async function addToFile(name: string, server: RemoteServer | undefined, values: AddValues, context: Context): Promise<PasswordFile> {
  const installation = localInstallation(values, context);
  return withSharedFiles(installation, async () => {
    const file = await fileForNew(name, server !== undefined, installation);
    const password = await newPassword(values, name, context);
    if (server) await makeKnown(server, name, values.email, false);
    await writePassword(file.path, name, password);
    if (values.generate) context.out.write(`${password}\n`);
    return file;
  });
}

export async function runUserPasswd(
  { values, positionals: [name = ''] }: ParsedArguments<PasswdValues>,
  context: Context,
): Promise<number> {
  mustBeLoginName(name);
  const installation = localInstallation(values, context);
  const file = await withSharedFiles(installation, () => changeInFile(name, installation, values, context));
  context.err.write(`The password of ${name} is changed, in ${file.path}.\n`);
  return 0;
}

async function changeInFile(name: string, installation: Installation, values: PasswdValues, context: Context): Promise<PasswordFile> {
  const { files } = await passwordFilesOf(installation, name);
  const file = files.find(({ path }) => hasLogin(path, name));
  if (!file) {
    const meant = closest(name, new Set(files.flatMap(({ path }) => loginsIn(path))));
    const hint = meant === undefined ? 'Add them with user add.' : `Did you mean ${meant}?`;
    throw new CommandFailed(`There is no user ${name} in ${files.map(({ path }) => path).join(', ')}. ${hint}`);
  }
  const password = await newPassword(values, name, context);
  await writePassword(file.path, name, password);
  if (values.generate) context.out.write(`${password}\n`);
  return file;
}

function localInstallation(values: InstallationValues, context: Context): Installation {
  try {
    return installationIn(values, context);
  } catch (failure) {
    if (failure instanceof DirectoryMoved) throw new CommandFailed(failure.message, { cause: failure });
    throw failure;
  }
}

async function fileForNew(name: string, hasServer: boolean, installation: Installation): Promise<PasswordFile> {
  const { files, isKnown } = await passwordFilesOf(installation, name);
  const taken = files.find(({ path }) => hasLogin(path, name));
  if (taken) throw new CommandFailed(`${name} is in ${taken.path} already. Use user passwd to change the password.`);
  const [file] = files;
  if (file!.isForKnownUsers && !isKnown && !hasServer)
    throw new CommandFailed('This server lets in only users it knows: give --url and the login of an administrator, too.');
  return file!;
}

async function makeKnown(server: RemoteServer, name: string, email: string | undefined, mustBeNew: boolean): Promise<void> {
  const response = await askServer(server, `${USERS}/${encodeURIComponent(name)}`);
  const known = await answerOf(response, server);
  if (response.ok && mustBeNew) throw new CommandFailed(`${server.url} knows ${name} already.`);
  if (response.ok && known.enabled === false) throw new CommandFailed(`${name} is disabled on ${server.url}. Use user enable first.`);
  if (response.ok) return;
  if (response.status !== NOT_FOUND) throw refusalOf(response, known, server);
  await acceptedBy(server, USERS, sending('POST', { login_name: name, ...(email !== undefined && { email }) }));
}

function addedText(name: string, file: PasswordFile | undefined, server: RemoteServer | undefined): string {
  if (!file)
    return `${server!.url} knows ${name} now. ${name} can log in with the password of an authorization configuration, such as LDAP.`;
  return `${name} can log in. A hash of the password is in ${file.path}.`;
}
