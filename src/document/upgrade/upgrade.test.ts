// Tests each step from one schema version to the next.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readXml } from '../../kit/xml/read-xml.ts';
import type { XmlElement } from '../../kit/xml/tree.ts';
import { upgrade } from './upgrade.ts';

function cruise(version: number | string, content: string): XmlElement {
  const { root, problems } = readXml(`<cruise schemaVersion="${version}">${content}</cruise>`);
  assert.deepEqual(problems, []);
  return root!;
}

function shown(one: XmlElement | string): string {
  if (typeof one === 'string') return one;
  const attributes = [...one.attributes].map(([name, value]) => ` ${name}="${value}"`).join('');
  const content = one.children.map(shown).join('');
  return content === '' ? `<${one.name}${attributes}/>` : `<${one.name}${attributes}>${content}</${one.name}>`;
}

/** By the version a step leads to: the document before and after it. */
const STEPS: readonly (readonly [to: number, before: string, after: string, ...ignored: readonly string[]])[] = [
  [
    101,
    '<server><elastic jobStarvationTimeout="3"><profiles/></elastic></server><pipelines/>',
    '<server/><elastic jobStarvationTimeout="3"><profiles/></elastic><pipelines/>',
  ],
  [
    105,
    '<pipelines><pipeline><trackingtool link="x/${ID}"/></pipeline><pipeline><trackingtool link="HTTPS://x"/></pipeline></pipelines>',
    '<pipelines><pipeline><trackingtool link="http://x/${ID}"/></pipeline><pipeline><trackingtool link="HTTPS://x"/></pipeline></pipelines>',
  ],
  [
    108,
    '<job><artifacts><artifact type="external" id="c" storeId="d"><property><key>k</key></property></artifact></artifacts><tasks><fetchartifact origin="external"><property><key>k</key></property></fetchartifact></tasks></job>',
    '<job><artifacts><artifact type="external" id="c" storeId="d"><configuration><property><key>k</key></property></configuration></artifact></artifacts><tasks><fetchartifact origin="external"><configuration><property><key>k</key></property></configuration></fetchartifact></tasks></job>',
  ],
  [
    108,
    '<job><artifacts><artifact src="a"/><test src="b"/><pluggableArtifact id="c" storeId="d"><property><key>k</key></property></pluggableArtifact></artifacts></job>',
    '<job><artifacts><artifact src="a" type="build"/><artifact src="b" type="test"/><artifact id="c" storeId="d" type="external"><configuration><property><key>k</key></property></configuration></artifact></artifacts></job>',
  ],
  [
    108,
    '<tasks><fetchartifact job="a"/><exec><oncancel><fetchartifact job="b"/></oncancel></exec><fetchPluggableArtifact artifactId="c"/></tasks>',
    '<tasks><fetchartifact job="a" origin="gocd"/><exec><oncancel><fetchartifact job="b" origin="gocd"/></oncancel></exec><fetchartifact artifactId="c" origin="external"/></tasks>',
  ],
  [
    110,
    '<server><mailhost password="" encryptedPassword=" "/></server><git password="x" encryptedPassword=""/>',
    '<server><mailhost/></server><git password="x"/>',
  ],
  [111, '<tasks><fetchartifact origin="gocd" job="a"/></tasks>', '<tasks><fetchartifact job="a" artifactOrigin="gocd"/></tasks>'],
  [113, '<server/>', '<server><backup emailOnSuccess="true" emailOnFailure="true"/></server>'],
  [
    113,
    '<server><backup schedule="x" emailOnFailure="false"/></server>',
    '<server><backup schedule="x" emailOnFailure="false" emailOnSuccess="true"/></server>',
  ],
  [
    115,
    '<config-repos><config-repo id="a"><git url="u" materialName="m"/></config-repo></config-repos>',
    '<config-repos><config-repo id="a"><git url="u"/></config-repo></config-repos>',
  ],
  [
    119,
    '<elastic><profiles><profile id="a" pluginId="p"/><profile id="b" pluginId="q"/><profile id="c" pluginId="p"/></profiles></elastic>',
    '<elastic><profiles><profile id="a" pluginId="p" clusterProfileId="no-op-cluster-for-p"/><profile id="b" pluginId="q" clusterProfileId="no-op-cluster-for-q"/><profile id="c" pluginId="p" clusterProfileId="no-op-cluster-for-p"/></profiles><clusterProfiles><clusterProfile id="no-op-cluster-for-p" pluginId="p"/><clusterProfile id="no-op-cluster-for-q" pluginId="q"/></clusterProfiles></elastic>',
  ],
  [
    120,
    '<elastic><profiles><profile id="a"/></profiles></elastic>',
    '<elastic><agentProfiles><agentProfile id="a"/></agentProfiles></elastic>',
  ],
  [
    122,
    '<elastic><agentProfiles><agentProfile id="a" pluginId="p" clusterProfileId="c"/></agentProfiles></elastic>',
    '<elastic><agentProfiles><agentProfile id="a" clusterProfileId="c"/></agentProfiles></elastic>',
  ],
  [125, '<server><mailhost tls="false"/></server>', '<server><mailhost/></server>'],
  [
    127,
    '<server siteUrl="http://a" secureSiteUrl="https://b" jobTimeout="1"/>',
    '<server jobTimeout="1"><siteUrls><siteUrl>http://a</siteUrl><secureSiteUrl>https://b</secureSiteUrl></siteUrls></server>',
  ],
  [
    128,
    '<environments><environment name="e"><agents><physical uuid="1"/></agents></environment></environments><agents><agent uuid="1"/><agent uuid="2"/></agents>',
    '<environments><environment name="e"/></environments>',
    '2 agents',
    'the assignment of 1 agent to environments',
  ],
  [130, '<job name="j"><properties><property name="p"/></properties></job>', '<job name="j"/>', '1 property of a job'],
  [
    131,
    '<pipelines><pipeline name="p"><mingle baseUrl="u"/></pipeline></pipelines>',
    '<pipelines><pipeline name="p"/></pipelines>',
    'the Mingle settings of 1 pipeline',
  ],
  [
    132,
    '<server artifactsdir="a" purgeStart="1.0" purgeUpto="2.0"/>',
    '<server><artifacts><artifactsDir>a</artifactsDir><purgeSettings><purgeStartDiskSpace>1.0</purgeStartDiskSpace><purgeUptoDiskSpace>2.0</purgeUptoDiskSpace></purgeSettings></artifacts></server>',
  ],
  [
    133,
    '<server><security allowOnlyKnownUsersToLogin="true"><authConfigs><authConfig id="a"/><authConfig id="b"/></authConfigs></security></server>',
    '<server><security><authConfigs><authConfig id="a" allowOnlyKnownUsersToLogin="true"/><authConfig id="b" allowOnlyKnownUsersToLogin="true"/></authConfigs></security></server>',
  ],
  [
    135,
    '<pipelines><pipeline labeltemplate="${COUNT}-${a:b:c[:7]}-${env:X:Y}-${x:y}:z"/></pipelines>',
    '<pipelines><pipeline labeltemplate="${COUNT}-${a_b_c[:7]}-${env:X_Y}-${x_y}:z"/></pipelines>',
  ],
  [
    136,
    '<config-repos><config-repo id="a"><git url="u"/></config-repo></config-repos>',
    '<config-repos><config-repo id="a"><git url="u"/><rules><allow action="refer" type="*">*</allow></rules></config-repo></config-repos>',
  ],
  [
    137,
    '<job name="a"/><job name="b"><tasks/></job><job name="c"><tasks><ant/></tasks></job>',
    '<job name="a"><tasks><exec command="echo"><runif status="passed"/></exec></tasks></job><job name="b"><tasks><exec command="echo"><runif status="passed"/></exec></tasks></job><job name="c"><tasks><ant/></tasks></job>',
    'the empty list of tasks of 2 jobs',
  ],
  [139, '<server commandRepositoryLocation="default" serverId="s"/>', '<server serverId="s"/>'],
];

for (const [to, before, after, ...ignored] of STEPS) {
  test(`to ${to}: ${before.slice(0, 60)}`, () => {
    // From the version before, the step does its work; from its own version on, it does nothing.
    const root = cruise(to - 1, before);
    const result = upgrade(root);
    assert.deepEqual([result.from, result.problems], [to - 1, []]);
    const expected = cruise(to, after);
    const rest = upgrade(expected);
    assert.equal(shown(root), shown(expected));
    const own = result.ignored.slice(0, result.ignored.length - rest.ignored.length);
    assert.deepEqual(
      own.map(({ what }) => what),
      ignored,
    );
    assert.ok(shown(root).startsWith('<cruise schemaVersion="139">'));
  });
}

test('a document of the newest version stays as it is', () => {
  const text = '<server serverId="x"><backup/></server><pipelines group="g"/>';
  const root = cruise(139, text);
  assert.deepEqual(upgrade(root), { from: 139, ignored: [], problems: [] });
  assert.equal(shown(root), `<cruise schemaVersion="139">${text}</cruise>`);
});

for (const version of ['99', '0', '140', 'x', '', '-1', '1e2', '100.5', '99999999']) {
  test(`version «${version}» cannot be upgraded`, () => {
    const { problems } = upgrade(cruise(version, ''));
    const message = `Go config file with version ${version} is invalid. Unable to upgrade. Files of the versions 100 to 139 can be read.`;
    assert.deepEqual(problems, [{ line: 1, column: 1, message }]);
  });
}

test('a file without a version counts as version 0, and another root is no configuration', () => {
  const [noVersion, other] = ['<cruise/>', '<project schemaVersion="139"/>'].map(
    (text) => upgrade(readXml(text).root!).problems[0]!.message,
  );
  assert.match(noVersion!, /^Go config file with version 0 is invalid\. Unable to upgrade\./);
  assert.match(other!, /^Invalid XML tag "project" found\./);
});
