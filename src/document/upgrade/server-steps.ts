// The steps that change the element `server`.
import type { XmlElement } from '../../kit/xml/tree.ts';
import { at, childMade, element, takeAttribute } from './tree.ts';

/** 113: mails about backups were always sent before one could choose. */
export function addBackupMails(root: XmlElement): undefined {
  for (const server of at(root, 'server')) {
    const { attributes } = childMade(server, 'backup');
    for (const name of ['emailOnSuccess', 'emailOnFailure']) if (!attributes.has(name)) attributes.set(name, 'true');
  }
}

/** 125 */
export function dropDefaultTls(root: XmlElement): undefined {
  for (const { attributes } of at(root, 'server', 'mailhost')) if (attributes.get('tls') === 'false') attributes.delete('tls');
}

/** 127 */
export function moveSiteUrls(root: XmlElement): undefined {
  for (const server of at(root, 'server')) {
    for (const name of ['siteUrl', 'secureSiteUrl']) {
      const address = takeAttribute(server, name);
      if (address !== undefined) childMade(server, 'siteUrls').children.push(element(name, server, {}, [address]));
    }
  }
}

/** 132 */
export function moveArtifactSettings(root: XmlElement): undefined {
  for (const server of at(root, 'server')) {
    const directory = takeAttribute(server, 'artifactsdir');
    if (directory !== undefined) childMade(server, 'artifacts').children.push(element('artifactsDir', server, {}, [directory]));
    for (const [attribute, name] of [
      ['purgeStart', 'purgeStartDiskSpace'],
      ['purgeUpto', 'purgeUptoDiskSpace'],
    ] as const) {
      const gigabytes = takeAttribute(server, attribute);
      if (gigabytes === undefined) continue;
      childMade(childMade(server, 'artifacts'), 'purgeSettings').children.push(element(name, server, {}, [gigabytes]));
    }
  }
}

/** 133 */
export function moveKnownUsersOnly(root: XmlElement): undefined {
  const name = 'allowOnlyKnownUsersToLogin';
  for (const security of at(root, 'server', 'security')) {
    const value = takeAttribute(security, name);
    if (value === undefined) continue;
    for (const authConfig of at(security, 'authConfigs', 'authConfig')) authConfig.attributes.set(name, value);
  }
}

/** 139 */
export function dropCommandRepository(root: XmlElement): undefined {
  for (const server of at(root, 'server')) server.attributes.delete('commandRepositoryLocation');
}
